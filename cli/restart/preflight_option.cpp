#include "cli/restart/preflight_option.h"

#include "base/error.h"
#include "cli/options/command_option.h"

namespace rv::cli {

void add_preflight_option(CLI::App& command, templates::JobSpec& job) {
  add_flag(command, "--preflight", job.preflight,
           "test the GPUs and links of the job's nodes for at most 20 seconds before the command starts; if a node "
           "fails, start on others");
}

void check_preflight(const templates::JobSpec& job, const RequestOptions& request) {
  if (!job.preflight) return;
  if (request.gpus && *request.gpus == 0) {
    throw Error("--preflight tests GPUs, and this run has none", "remove --preflight", ExitCode::usage);
  }
  if (job.array) {
    throw Error("--preflight and --array can't be combined: each element would be tested",
                "test the nodes first with rv accept --nodelist NODES, and remove --preflight", ExitCode::usage);
  }
  if (request.mig) {
    throw Error("--preflight and --mig can't be combined: the test needs whole GPUs", "remove one of them",
                ExitCode::usage);
  }
}

}  // namespace rv::cli
