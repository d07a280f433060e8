#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/os/local_command.h"
#include "base/os/process.h"
#include "base/variable.h"
#include "cli/acceptance/accept_load.h"
#include "cli/acceptance/io_order.h"
#include "cli/acceptance/workers_folder.h"
#include "cli/launch/no_container.h"
#include "slurm/environment.h"
#include "slurm/parse/hostlist.h"

namespace rv::cli {
namespace {

std::optional<int> number_of(const std::string& text) {
  int number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || fault != std::errc() || end != text.data() + text.size() || number < 1) return std::nullopt;
  return number;
}

/// GPUs that this host shows, MIG slices not counted; 1 where there is none to count.
int gpus_here() {
  if (const auto said = number_of(variable("SLURM_GPUS_ON_NODE"))) return *said;
  const auto list = os::run({.argv = {"nvidia-smi", "-L"},
                             .input = {},
                             .deadline = std::chrono::seconds(20),
                             .environment = slurm::query_environment(),
                             .folder = {}});
  int count = 0;
  for (std::size_t at = list.out.find("GPU "); at != std::string::npos; at = list.out.find("\nGPU ", at + 1)) ++count;
  const auto visible = variable("CUDA_VISIBLE_DEVICES");
  if (!visible.empty()) count = static_cast<int>(std::count(visible.begin(), visible.end(), ',')) + 1;
  return std::max(count, 1);
}

int nodes_here(const AcceptOptions& options) {
  if (options.tier != nullptr && options.tier->this_node_only) return 1;
  // A separate step's task runs on one node of the allocation.
  const bool alone_in_a_step = !variable("SLURM_STEP_ID").empty() && variable("SLURM_STEP_NUM_NODES") == "1";
  if (variable("SLURM_JOB_ID").empty()) return 1;
  const int nodes = number_of(variable("SLURM_JOB_NUM_NODES")).value_or(1);
  return alone_in_a_step && variable("RV_RUN_ID").empty() ? 1 : nodes;
}

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

/// One process on every node of the allocation.
std::vector<std::string> on_all_nodes(int nodes, const std::vector<std::string>& container) {
  std::vector<std::string> words = {"bash",
                                    "-c",
                                    gently,
                                    "bash",
                                    "srun",
                                    "--overlap",
                                    "--kill-on-bad-exit=0",
                                    fmt::format("--nodes={}", nodes),
                                    fmt::format("--ntasks={}", nodes),
                                    "--ntasks-per-node=1"};
  words.insert(words.end(), container.begin(), container.end());
  return words;
}

accept::Order order_here(const AcceptOptions& options, const Settings& settings) {
  const int nodes = options.request->nodes.value_or(nodes_here(options));
  if (nodes > 1 && variable("SLURM_JOB_ID").empty()) {
    throw Error(fmt::format("--local --nodes {} needs an allocation of several nodes", nodes),
                "remove --local, or first open a shell in such an allocation (rv up)", ExitCode::usage);
  }
  const int default_gpus = without_gpus(options) ? 1 : options.device == "cpu" ? 2 : gpus_here();
  const int gpus = options.request->gpus ? std::max(1, *options.request->gpus / nodes)
                                         : options.gpus_per_node.value_or(default_gpus);
  auto order = order_of(options, nodes, gpus);
  order.io = io_order_of(options, order, settings, IoPlace::here);
  return order;
}

struct Start {
  std::vector<std::string> argv;
  std::vector<std::string> environment;
};

/// How the script in `folder` is started, on this host or on all nodes of the allocation.
Start start_of(const std::string& folder, int nodes, const Container& container) {
  Start start{.argv = {}, .environment = slurm::submit_environment()};
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
  const auto container_start = folder + "/container";
  if (!container.image.empty()) write_container_start(container_start);
  const auto script = container.command({"bash", "-c", "exec bash \"$0\" >&2", folder + "/node.sh"}, container_start);
  start.argv.insert(start.argv.end(), script.begin(), script.end());
  return start;
}

}  // namespace

LocalShare AcceptLoad::for_here() {
  order_ = order_here(options_, invocation().settings);
  if (!options_.dry_run) {
    workers_ = workers_folder(options_.workers, invocation().settings, acceptance_workers(order_));
    container_ = container_for(options_.container, invocation().settings);
    container_.mounts.push_back(workers_);
    for (const auto& path : io_paths(order_.io)) container_.mounts.push_back(path);
  }
  return {[this] { return run_here(); }, "the script that runs the workers", ""};
}

int AcceptLoad::run_here() {
  container_.told = made().path() + "/" + container_told;
  const auto start = start_of(made().path(), order_.nodes, container_);
  return os::run_local(start.argv, std::nullopt, std::chrono::seconds(5), start.environment).exit_code;
}

}  // namespace rv::cli
