#include "slurm/command_trouble.h"

#include <doctest/doctest.h>

#include "base/error.h"

using namespace rv;
using namespace rv::slurm;

namespace {

os::Result failed(int exit_code, const std::string& err, const std::string& out = "") {
  return {.exit_code = exit_code, .timed_out = false, .out = out, .err = err, .wall = {}};
}

/// The message of the error that ends rv without this answer.
std::string message_of(const os::Result& result) {
  try {
    no_cluster("scontrol show node", result);
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::slurm);
    return error.what();
  }
}

}  // namespace

TEST_CASE("the reason of a missing answer is the command's own complaint, from stderr if it printed any") {
  CHECK(trouble_of(failed(1, "squeue: error: no route\n")).find("no route") != std::string::npos);
  CHECK(trouble_of(failed(1, "", "Unable to contact slurm controller\n")).find("Unable to contact") !=
        std::string::npos);
  auto late = failed(0, "");
  late.timed_out = true;
  CHECK(trouble_of(late) == "no answer in time");
}

TEST_CASE("advice to try again is given only if Slurm is configured on this machine") {
  CHECK(advice_for("no answer in time").starts_with("try again in a moment"));
  CHECK(advice_for("squeue: error: No such file or directory").starts_with("try again in a moment"));
  CHECK(advice_for(trouble_of(failed(1, "squeue: fatal: Could not establish a configuration source")))
            .starts_with("set SLURM_CONF"));
  CHECK(
      advice_for("SLURM_CONF names /x, which can't be read: No such file or directory").starts_with("set SLURM_CONF"));
  CHECK(advice_for(trouble_of(failed(127, "squeue: No such file or directory"))).starts_with("run rv on a login node"));
}

TEST_CASE("without nodes rv ends, and says whether the command, the permission or the answer is missing") {
  CHECK(message_of(failed(127, "scontrol: not found")).find("were not found") != std::string::npos);
  CHECK(message_of(failed(1, "slurm_load_node error: Access/permission denied")).find("allows only operators") !=
        std::string::npos);
  CHECK(message_of(failed(1, "Socket timed out")).find("did not answer scontrol show node") != std::string::npos);
}

TEST_CASE("a query ignores broken pipes, and ends at its deadline") {
  const auto command = question({"squeue"}, std::chrono::seconds(3), {"LC_ALL=C"}, "text");
  CHECK(command.ignores_broken_pipes);
  CHECK(command.deadline == std::chrono::seconds(3));
  CHECK(command.input == "text");
}
