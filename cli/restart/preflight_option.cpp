#include "cli/restart/preflight_option.h"

#include "base/error.h"
#include "cli/options/command_option.h"

namespace rv::cli {
namespace {

/// Returns why such a run can't be tested; nothing if it can.
std::optional<Error> obstacle(const templates::JobSpec& job, const RequestOptions& request) {
  if (request.gpus && *request.gpus == 0) {
    return Error("--preflight tests GPUs, and this run has none", "remove --preflight", ExitCode::usage);
  }
  if (job.array) {
    return Error("--preflight and --array can't be combined: each element would be tested",
                 "test the nodes first with rv accept --nodelist NODES, and remove --preflight", ExitCode::usage);
  }
  if (request.mig) {
    return Error("--preflight and --mig can't be combined: the test needs whole GPUs", "remove one of them",
                 ExitCode::usage);
  }
  return std::nullopt;
}

}  // namespace

void add_preflight_options(CLI::App& command, std::optional<bool>& wanted) {
  add_flag_callback(
      command, "--preflight", [&wanted] { wanted = true; },
      "test the GPUs and links of the job's nodes for at most 20 seconds before the command starts; if a node "
      "fails, start on others (default: preflight in the settings)");
  add_flag_callback(
      command, "--no-preflight", [&wanted] { wanted = false; }, "start without this test");
}

void put_preflight(templates::JobSpec& job, std::optional<bool> wanted, const RequestOptions& request, bool usual) {
  const auto refusal = obstacle(job, request);
  if (wanted == true && refusal) throw Error(*refusal);
  const bool by_default = usual && request.gpus.value_or(1) > 1 && !refusal;
  job.preflight = wanted.value_or(by_default);
}

}  // namespace rv::cli
