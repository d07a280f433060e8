#include "monitor/follow/allocation_shell.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/os/local_command.h"
#include "monitor/run/chain.h"
#include "slurm/environment.h"
#include "slurm/parse/hostlist.h"

namespace rv::monitor {
void check_node(const monitor::RunFolder& folder, const monitor::RunView& view, const std::string& node) {
  const auto nodes = slurm::expand_hostlist(view.nodes);
  if (node.empty() || nodes.empty() || std::find(nodes.begin(), nodes.end(), node) != nodes.end()) return;
  throw Error(fmt::format("run {} is not on a node \"{}\"{}", folder.id(), node, suggestion(node, nodes)),
              fmt::format("it is on {}", view.nodes), ExitCode::no_such_run);
}

std::vector<std::string> step_of(const monitor::RunFolder& folder, const monitor::RunView& view) {
  const auto facts = monitor::read_facts(folder);
  const auto& claim = facts.claim;
  if (!claim || claim->by_stop || monitor::is_final(view.state)) {
    throw Error("run " + folder.id() + " holds no GPUs: " + std::string(to_string(view.state)),
                "rv up gets some; rv ps lists what is running", ExitCode::no_such_run);
  }
  // A chain's later segments may be jobs of their own.
  const auto job = facts.record.chain ? monitor::last_job(facts) : std::nullopt;
  return {"srun", "--jobid=" + slurm::to_string(job.value_or(claim->job)), "--overlap"};
}

int open_shell(const monitor::RunFolder& folder, const monitor::RunView& view, const std::string& node,
               const os::Terminal& terminal) {
  std::vector<std::string> argv = step_of(folder, view);
  check_node(folder, view, node);
  argv.insert(argv.end(), {"--nodes=1", "--ntasks=1"});
  if (terminal.in && terminal.out) argv.emplace_back("--pty");
  if (!node.empty()) argv.push_back("--nodelist=" + node);
  const auto claim = monitor::read_facts(folder).claim;
  argv.insert(argv.end(),
              {"bash", folder.file("candidates/" + std::to_string(claim->candidate) + "/script.sh"), "shell"});
  const auto end = os::run_local(argv, std::nullopt, std::chrono::milliseconds(0), slurm::submit_environment());
  return end.exit_code;
}

}  // namespace rv::monitor
