// Ends that a script puts down: of the run that it follows, of a segment of its chain.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/os/atomic_file.h"
#include "base/os/listing.h"
#include "monitor/ledger/ledger_folder.h"
#include "rendered_script.h"
#include "tests/base/temporary_folder.h"

using namespace rv;

namespace {

struct Run {
  TemporaryFolder folder;
  std::vector<std::string> entries;

  explicit Run(const std::vector<std::string>& written) {
    os::make_folder(folder.path() + "/ledger");
    for (const auto& entry : written) add(entry);
  }
  void add(const std::string& entry) {
    entries.push_back(entry);
    os::write_file(fmt::format("{}/ledger/{}", folder.path(), entries.size()), entry + "\n");
  }
  std::string last() const {
    const auto names = os::names_in(folder.path() + "/ledger");
    const auto text = os::read_file(fmt::format("{}/ledger/{}", folder.path(), names.size())).value_or("");
    return text.substr(0, text.find(" ", text.find(" ") + 1));
  }
};

const std::vector<std::string> running = {"claim 1 1 10 0 - - n1 1800000000 10.n1.1 n1",
                                          "start 1 1 10 0 0 - n1 1800000001 10.n1.1 n1"};

std::string closed(Run& before, const std::string& exit_that_comes = "") {
  const TemporaryFolder own;
  os::make_folder(own.path() + "/ledger");
  const std::string functions = own.path() + "/functions";
  std::ofstream(functions) << functions_of(
      rendered_script("after", {.run_folder = own.path(), .predecessor = before.folder.path()}));
  return said_by(
      fmt::format("bash " RV_PROTOCOL_TESTS "/closing.bash {} predecessor '{}'", functions, exit_that_comes));
}

}  // namespace

TEST_CASE("a predecessor without an end is lost, one that failed has failed") {
  Run run(running);
  CHECK(closed(run) == "0\n");
  CHECK(os::read_file(run.folder.path() + "/ledger/3").value_or("").find("lost") != std::string::npos);
  Run failed(running);
  failed.add("exit 1 1 10 0 exited 3 n1 1800000002 10.n1.1 n1");
  CHECK(closed(failed) == "0\n");
  CHECK(os::read_file(failed.folder.path() + "/ledger/4").value_or("").find("failed") != std::string::npos);
}

TEST_CASE("a predecessor that has ended well is not closed, whenever its record comes") {
  Run before(running);
  before.add("exit 1 1 10 0 exited 0 n1 1800000002 10.n1.1 n1");
  CHECK(closed(before) == "1\n");
  CHECK(before.last() == "exit 1");
  Run meanwhile(running);
  CHECK(closed(meanwhile, "exited 0") == "1\n");
  CHECK(meanwhile.last() == "exit 1");
}

TEST_CASE("a segment has one end, and it has its room when the disk has become full") {
  const TemporaryFolder own;
  const std::string run = own.path() + "/run", functions = own.path() + "/functions";
  os::make_folder(run + "/ledger");
  std::ofstream(functions) << functions_of(rendered_script("chain", {.run_folder = run}));
  const auto said = said_by(
      fmt::format("unshare --user --map-root-user --mount bash -c 'mkdir {0}/chain && mount -t tmpfs -o size=64k tmpfs "
                  "{0}/chain && exec bash " RV_PROTOCOL_TESTS "/closing.bash {1} segment'",
                  run, functions));
  CHECK(said == "0\n1\n0\n0 1800000004 finished 1\n");
}

TEST_CASE("where rm removes nothing, a later entry or end does not change an earlier one") {
  const TemporaryFolder own;
  const std::string run = own.path() + "/run", functions = own.path() + "/functions";
  os::make_folder(run + "/ledger");
  for (std::size_t i = 0; i < 2; ++i) {
    auto entry = running[i] + "\n";
    if (i == 1) entry.replace(entry.find(" 0 - n1"), 4, " 1 -");  // segment 1
    os::write_file(fmt::format("{}/ledger/{}", run, i + 1), entry);
  }
  std::ofstream(functions) << functions_of(rendered_script("chain", {.run_folder = run}));
  const auto said = said_by(fmt::format("bash " RV_PROTOCOL_TESTS "/closing.bash {} no_rm", functions));
  CHECK(said ==
        "claim 1 1 10 0 - -\nstart 1 1 10 0 1 -\nstart 1 1 20 0 2 -\nstart 1 1 20 0 3 -\nexit 1 1 20 0 exited 0\n"
        "- lost 0\n0 time_limit 1\n");
}
