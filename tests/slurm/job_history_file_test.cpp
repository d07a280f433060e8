// Reading and the lock; what asks the real accounting is tests/real/job_history.sh.
#include "slurm/job_history_file.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "slurm/gateway.h"

using namespace rv;
using namespace rv::slurm;
using rv::planner::TimePoint;

namespace {

struct Folder {
  Folder() { REQUIRE(::mkdtemp(path) != nullptr); }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  char path[32] = "/tmp/rv-history-XXXXXX";
};

constexpr TimePoint noon{std::chrono::seconds(1'795'262'400)};

}  // namespace

TEST_CASE("without a folder, or before the first reading, there is nothing and that is not an error") {
  CHECK(!JobHistoryFile("", "ann").read());
  CHECK(!JobHistoryFile("", "ann").due());
  const Folder folder;
  const JobHistoryFile file(folder.path, "ann");
  CHECK(!file.read());
  CHECK(file.due());
}

TEST_CASE("accounting that does not answer is queried once in ten minutes and gives no history") {
  const Folder folder;
  const JobHistoryFile file(folder.path, "ann");
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", "/no/such/folder", 1);
  Gateway gateway;
  CHECK(!file.extend_from(gateway, noon));
  CHECK(gateway.commands_run() == 1);
  CHECK(!file.due());
  CHECK(file.extend_from(gateway, noon));
  CHECK(gateway.commands_run() == 1);
  ::setenv("PATH", before.c_str(), 1);
  CHECK(!file.read());
}

TEST_CASE("a garbled file is not history") {
  const Folder folder;
  const JobHistoryFile file(folder.path, "ann");
  JobHistory history;
  extend(history, noon, noon + std::chrono::hours(1), {}, "ann");
  const auto bytes = to_bytes(history);
  // The name of the file is its own business: taken from the lock that a failed attempt leaves.
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", "/no/such/folder", 1);
  Gateway gateway;
  file.extend_from(gateway, noon);
  ::setenv("PATH", before.c_str(), 1);
  std::string path;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path)) path = entry.path();
  REQUIRE(path.ends_with(".lock"));
  path.resize(path.size() - std::string(".lock").size());
  std::ofstream(path) << bytes;
  REQUIRE(file.read());
  CHECK(file.read()->to == noon + std::chrono::hours(1));
  std::ofstream(path) << bytes.substr(0, bytes.size() - 1) << "\x7f";
  CHECK(!file.read());
}
