#include "cli/allocation_shell.h"

#include "cli/local_command.h"
#include "planner/error.h"
#include "slurm/environment.h"

namespace rv::cli {

int open_shell(const monitor::RunFolder& folder, const monitor::RunView& view, const std::string& node) {
  const auto claim = folder.claim();
  if (!claim || claim->by_stop || monitor::is_final(view.state)) {
    throw Error("run " + folder.id() + " holds no GPUs: " + std::string(to_string(view.state)),
                "rv up gets some; rv ps lists what is running", ExitCode::no_such_run);
  }
  std::vector<std::string> argv{
      "srun", "--jobid=" + slurm::to_string(claim->job), "--overlap", "--pty", "--nodes=1", "--ntasks=1"};
  if (!node.empty()) argv.push_back("--nodelist=" + node);
  argv.insert(argv.end(),
              {"bash", folder.file("candidates/" + std::to_string(claim->candidate) + "/script.sh"), "shell"});
  const auto end = run_local(argv, std::nullopt, std::chrono::milliseconds(0), slurm::submit_environment());
  return end.exit_code;
}

}  // namespace rv::cli
