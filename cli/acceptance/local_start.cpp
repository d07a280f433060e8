#include "cli/acceptance/local_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/variable.h"
#include "cli/load/load_container.h"
#include "shared/number.h"
#include "slurm/environment.h"
#include "slurm/parse/hostlist.h"

namespace rv::cli {
namespace {

/// A signal that ends srun makes it kill its tasks, which could then take nothing away; SIGUSR1 it passes on, and the
/// script on the nodes knows what is meant.
constexpr auto gently = R"sh("$@" &
step=$! ended=
for end in INT:130 TERM:143 HUP:129; do
  trap "ended=${end#*:}; kill -s USR1 $step 2>/dev/null" "${end%:*}"
done
wait "$step"
code=$?
while kill -0 "$step" 2>/dev/null; do wait "$step"; done
exit "${ended:-$code}")sh";

/// The CPUs that the job has on each of its nodes; nothing if nodes differ. A step has one CPU unless it asks for more.
std::optional<int> cpus_per_node() {
  const auto text = variable("SLURM_JOB_CPUS_PER_NODE");  // "8(x2)", "8(x2),4"
  return text.find(',') == std::string::npos ? number_in<int>(text.substr(0, text.find('(')), 1) : std::nullopt;
}

/// One process on every node of the allocation. Without --jobid srun would ask for another one: the job's own variables
/// do not reach it.
std::vector<std::string> on_all_nodes(int nodes, const std::vector<std::string>& container) {
  std::vector<std::string> words = {"bash",
                                    "-c",
                                    gently,
                                    "bash",
                                    "srun",
                                    "--jobid=" + variable("SLURM_JOB_ID"),
                                    "--overlap",
                                    "--kill-on-bad-exit=0",
                                    fmt::format("--nodes={}", nodes),
                                    fmt::format("--ntasks={}", nodes),
                                    "--ntasks-per-node=1"};
  if (const auto cpus = cpus_per_node()) words.push_back(fmt::format("--cpus-per-task={}", *cpus));
  words.insert(words.end(), container.begin(), container.end());
  return words;
}

}  // namespace

LocalStart local_start(const std::string& folder, int nodes, const Container& container) {
  LocalStart start{.argv = {}, .environment = slurm::submit_environment()};
  const auto set = [&](const std::string& name, const std::string& value) {
    std::erase_if(start.environment, [&](const auto& one) { return one.starts_with(name + "="); });
    start.environment.push_back(name + "=" + value);
  };
  if (nodes > 1 || !container.srun_options().empty()) {
    start.argv = on_all_nodes(nodes, container.srun_options());
    set("RV_ACCEPT_STEP", "1");
    const auto hosts = slurm::expand_hostlist(variable("SLURM_JOB_NODELIST"));
    if (variable("MASTER_ADDR").empty() && !hosts.empty()) set("MASTER_ADDR", hosts.front());
  } else {
    // Whatever launcher this shell came from, the workers are on their own.
    set("RANK", "0");
    set("LOCAL_RANK", "0");
    set("WORLD_SIZE", "1");
  }
  // Progress belongs to stderr: stdout has the tables or the JSON document.
  const auto script = command_here(folder, container, {"bash", "-c", "exec bash \"$0\" >&2", folder + "/node.sh"});
  start.argv.insert(start.argv.end(), script.begin(), script.end());
  return start;
}

}  // namespace rv::cli
