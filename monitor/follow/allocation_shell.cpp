#include "monitor/follow/allocation_shell.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/os/local_command.h"
#include "base/text.h"
#include "monitor/follow/element_jobs.h"
#include "monitor/jobs/chain.h"
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
                "get GPUs with rv up; rv ps lists your runs", ExitCode::no_such_run);
  }
  // A chain's later segments may be jobs of their own.
  const auto job = facts.record.job.chain ? monitor::last_job(facts) : std::nullopt;
  return {"srun", "--jobid=" + slurm::to_string(job.value_or(claim->job)), "--overlap"};
}

StepLocation location_of(const monitor::RunFolder& folder, const monitor::RunView& view, std::optional<int> element) {
  StepLocation place{.step = step_of(folder, view), .nodes = view.nodes, .environment = {}};
  const auto facts = monitor::read_facts(folder);
  if (!facts.record.job.array) {
    if (!element) return place;
    throw Error("--element needs an array, and run " + folder.id() + " is not one", "leave out --element",
                ExitCode::usage);
  }
  const std::string array = slurm::to_string(facts.claim->job);
  const auto chosen = choose_element(running_elements(array), element, folder.id());
  std::replace(place.step.begin(), place.step.end(), "--jobid=" + array, "--jobid=" + chosen.job);
  place.nodes = joined(chosen.nodes);
  place.environment = {"env", "SLURM_ARRAY_JOB_ID=" + array, "SLURM_ARRAY_TASK_ID=" + std::to_string(chosen.index)};
  return place;
}

namespace {

/// rv itself, where the shell can find it by the name "rv".
std::string program() {
  std::error_code fault;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", fault);
  return path.filename() == "rv" ? path.string() : "";
}

/// Runs the same without srun's line about the exit code of a shell on a terminal, which is that of the last command
/// in it (a carriage return may end it). Only srun writes to stderr there: what the shell writes comes through its
/// terminal.
std::vector<std::string> without_exit_line(const std::vector<std::string>& argv) {
  std::vector<std::string> out = {"bash", "-c",
                                  "exec \"$@\" 2> >(trap '' INT TERM HUP; exec grep --line-buffered -v "
                                  "'^srun: error: .*: task 0: Exited with exit code [0-9]*.\\?$' >&2)",
                                  "rv-shell"};
  out.insert(out.end(), argv.begin(), argv.end());
  return out;
}

}  // namespace

int open_shell(const monitor::RunFolder& folder, const monitor::RunView& view, const std::string& node,
               const os::Terminal& terminal, std::optional<int> element) {
  auto [argv, nodes, environment] = location_of(folder, view, element);
  RunView there = view;
  there.nodes = nodes;
  check_node(folder, there, node);
  argv.insert(argv.end(), {"--nodes=1", "--ntasks=1"});
  const bool on_terminal = terminal.in && terminal.out;
  if (on_terminal) argv.emplace_back("--pty");
  if (!node.empty()) argv.push_back("--nodelist=" + node);
  const auto claim = monitor::read_facts(folder).claim;
  argv.insert(argv.end(), environment.begin(), environment.end());
  if (const auto rv = program(); !rv.empty()) argv.insert(argv.end(), {"env", "RV_PROGRAM=" + rv});
  argv.insert(argv.end(),
              {"bash", folder.file("candidates/" + std::to_string(claim->candidate) + "/script.sh"), "shell"});
  // srun does not end with its terminal. The shell would stay open and keep the GPUs from being released
  // (--unattended).
  const auto end = os::run_local(on_terminal ? without_exit_line(argv) : argv, std::nullopt, std::chrono::seconds(5),
                                 slurm::submit_environment(),
                                 /*ends_with_terminal=*/true);
  return end.exit_code;
}

}  // namespace rv::monitor
