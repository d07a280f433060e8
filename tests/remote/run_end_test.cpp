// The end of a run is noticed in its own thread.
#include "cli/remote/forward/run_end.h"

#include <doctest/doctest.h>
#include <poll.h>

#include <chrono>
#include <cstdlib>

#include "base/os/atomic_file.h"
#include "tests/base/temporary_folder.h"

using namespace rv;
using namespace std::chrono_literals;

namespace {

monitor::KnownRun started_run(const TemporaryFolder& home) {
  const auto folder = monitor::RunFolder::create(home.path());
  monitor::RunRecord record;
  record.id = folder.id();
  record.name = "train";
  record.candidates.emplace_back();
  folder.publish(record);
  os::write_file(folder.ledger() + "/1", "claim 1 1 4711 0 - - n1 5 a n1\n");
  os::write_file(folder.ledger() + "/2", "start 1 1 4711 0 0 - n1 5 a n1\n");
  return {folder, record};
}

bool readable(int fd, std::chrono::milliseconds within) {
  pollfd wanted{fd, POLLIN, 0};
  return ::poll(&wanted, 1, static_cast<int>(within.count())) == 1;
}

}  // namespace

TEST_CASE("an exit code is reported once it is in the ledger, not earlier") {
  const TemporaryFolder home;
  ::setenv("SLURM_CONF", "/nowhere/slurm.conf", 1);  // no Slurm answers
  const auto run = started_run(home);
  forward::RunEnd end(run);
  end.look_soon();
  CHECK_FALSE(readable(end.fd(), 300ms));
  CHECK(end.how().empty());
  os::write_file(run.folder.ledger() + "/3", "exit 1 1 4711 0 exited 7 n1 9 a n1\n");
  REQUIRE(readable(end.fd(), 30s));
  CHECK(end.how() == "exit code 7");
}

TEST_CASE("a watcher that is destroyed does not wait") {
  const TemporaryFolder home;
  const auto run = started_run(home);
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) const forward::RunEnd end(run);
  CHECK(std::chrono::steady_clock::now() - begin < 1s);
}
