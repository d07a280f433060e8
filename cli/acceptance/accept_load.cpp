#include "cli/acceptance/accept_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/local_command.h"
#include "base/os/process.h"
#include "base/quote.h"
#include "base/text.h"
#include "base/variable.h"
#include "cli/acceptance/acceptance_folder.h"
#include "cli/acceptance/io_order.h"
#include "cli/acceptance/local_start.h"
#include "cli/acceptance/workers_folder.h"
#include "cli/acceptance/write_verdict.h"
#include "cli/hosts/hosts_work.h"
#include "cli/kubernetes/job_order_of.h"
#include "cli/load/load_container.h"
#include "cli/views/accept_view.h"
#include "planner/strategies/whole_node_gpus.h"
#include "shared/documents/json_dump.h"
#include "shared/number.h"
#include "slurm/environment.h"
#include "templates/accept_script.h"

namespace rv::cli {
namespace {

using remote::HostGroup;

int equal_slots(const AcceptOptions& options, HostGroup& group) {
  const auto& sessions = group.sessions();
  const auto typed = options.slots ? options.slots : options.gpus_per_node;
  const int first = slots_of(typed, options.device, 2, *sessions.front());
  for (const auto& session : sessions) {
    const int slots = slots_of(typed, options.device, 2, *session);
    if (slots == first) continue;
    throw Error(fmt::format("{} has {} and {} has {}: an acceptance test needs the same number on every host",
                            sessions.front()->host().name.text(), counted(first, "slot"), session->host().name.text(),
                            counted(slots, "slot")),
                "use --slots N with a number that all hosts have, or test the other hosts separately", ExitCode::usage);
  }
  return first;
}

/// GPUs that this host shows, MIG slices not counted; 1 where there is none to count.
int gpus_here() {
  if (const auto said = number_in<int>(variable("SLURM_GPUS_ON_NODE"), 1)) return *said;
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
  const int nodes = number_in<int>(variable("SLURM_JOB_NUM_NODES"), 1).value_or(1);
  return alone_in_a_step && variable("RV_RUN_ID").empty() ? 1 : nodes;
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

struct Size {
  int nodes = 1;
  int gpus_per_node = 1;
  std::optional<KnownCluster> cluster;  // where it had to be read to know the size
};

/// With one GPU on every node: how many there will be is not known yet.
planner::Request one_gpu_a_node(const RequestOptions& typed, const Settings& settings) {
  RequestOptions each = typed;
  each.gpus = std::max(typed.nodes.value_or(1), static_cast<int>(typed.nodelist.size()));
  return to_request(each, settings);
}

/// What is asked of Slurm: whole numbers of nodes, and what an acceptance takes where nothing else was said.
std::shared_ptr<RequestOptions> request_of(const AcceptOptions& options, const Size& size) {
  auto request = std::make_shared<RequestOptions>(*options.request);
  request->nodes = size.nodes;
  request->gpus = size.nodes * size.gpus_per_node;
  if (!request->time) request->time = takes_full_length(options) ? std::chrono::hours(2) : std::chrono::minutes(30);
  if (request->name.empty()) request->name = "accept";
  // One GPU a node is an even split too, when that is what was asked.
  if (!request->splits) request->splits = planner::Splits::all;
  return request;
}

Size size_of(const AcceptOptions& options, const Invocation& invocation) {
  const auto& typed = *options.request;
  const auto least = one_gpu_a_node(typed, invocation.settings);
  const int nodes = least.nodes.value_or(1);
  if (typed.gpus && options.gpus_per_node) {
    throw Error("--gpu and --gpus-per-node can't be combined", "remove one of them", ExitCode::usage);
  }
  if (typed.gpus && *typed.gpus % nodes != 0) {
    throw Error(fmt::format("--gpu {} can't be divided evenly by {} nodes", *typed.gpus, nodes), "use --gpus-per-node",
                ExitCode::usage);
  }
  if (typed.gpus) return {nodes, *typed.gpus / nodes, std::nullopt};
  if (options.gpus_per_node) return {nodes, *options.gpus_per_node, std::nullopt};
  // What needs no GPU takes as few as rv can ask for.
  if (without_gpus(options)) return {nodes, 1, std::nullopt};
  const auto request = to_request(*request_of(options, {nodes, 1, std::nullopt}), invocation.settings);
  auto known = cluster_with_note(typed, invocation);
  const int whole = planner::whole_node_gpus(known.cluster, invocation.settings.catalogue, request);
  return {nodes, whole, std::move(known)};
}

}  // namespace

AcceptLoad::AcceptLoad(const AcceptOptions& options, const Invocation& invocation)
    : Load({.request = *options.request,
            .container = options.container,
            .hosts = options.hosts,
            .kubernetes = options.kubernetes->wanted ? options.kubernetes.get() : nullptr,
            .pod_logs = options.judge,
            .local = options.local,
            .detach = options.detach,
            .dry_run = options.dry_run && !options.kubernetes->wanted},  // manifests start nothing
           invocation, "accept"),
      options_(options) {}

void AcceptLoad::show() const {
  fmt::print("{}", steps_text(order_));
}

void AcceptLoad::prepare(const std::string& place) {
  prepare_acceptance(place, order_, workers_);
  keep();  // also after Ctrl-C, for --judge
}

std::string AcceptLoad::after_interrupt() {
  return fmt::format("rv accept --judge {} judges the reports", folder());
}

int AcceptLoad::judge(const std::vector<WorkTrouble>& troubles) {
  keep();
  std::vector<accept::Finding> findings;
  for (const auto& trouble : troubles) {
    if (trouble.host.empty()) {
      return write_verdict(folder(), where(), trouble.what, options_, invocation());
    }
    findings.push_back({.verdict = Verdict::error,
                        .subject = {.node = trouble.host, .gpu_index = std::nullopt, .gpu_uuid = {}, .model = {}},
                        .rank = std::nullopt,
                        .what = trouble.what + "; the work was ended on all hosts",
                        .advice = trouble.advice});
  }
  return write_verdict(folder(), where(), findings, options_, invocation());
}

HostsLaunch AcceptLoad::for_hosts(const std::vector<remote::Host>& hosts) {
  if (options_.slots && options_.gpus_per_node) {
    throw Error("--slots and --gpus-per-node can't be combined", "with --hosts, use --slots", ExitCode::usage);
  }
  order_ = order_of(options_, static_cast<int>(hosts.size()), 2);
  order_.io = io_order_of(options_, order_, invocation().settings, IoPlace::far);
  container_ = container_on_hosts(options_.container, invocation().settings);
  const auto names = acceptance_workers(order_);
  workers_ = workers_folder(options_.worker_folder, invocation().settings, names);
  return {read_programs(workers_, names), ReportKind::acceptance};
}

std::vector<int> AcceptLoad::slots_on(HostGroup& group) {
  const auto io = order_.io;
  order_ = order_of(options_, order_.nodes, equal_slots(options_, group));
  order_.io = io;
  return std::vector<int>(group.sessions().size(), order_.gpus_per_node);
}

Container AcceptLoad::with_io_folders(Container container) const {
  for (const auto& path : io_paths(order_.io)) container.mounts.push_back(path);
  return container;
}

HostScript AcceptLoad::script_on(const HostPlace& place) {
  const auto node = node_script(order_, place.folder + "/reports", place.workers, place.folder + "/token");
  HostScript script;
  script.add("token", "600", os::read_file(folder() + "/token").value_or(""));
  if (container_.image.empty()) {
    script.add("node.sh", "600", node);
    return script;
  }
  script.add("inside.sh", "600", node);
  const auto lines = lines_on_host(place, with_io_folders(container_), {"bash", place.folder + "/inside.sh"}, script);
  script.add("node.sh", "600", lines);
  return script;
}

kubernetes::JobOrder AcceptLoad::for_kubernetes() {
  auto pods = job_order_of(options_);
  // With --device cpu, the pods request no GPUs whose number could be the number of ranks.
  const int ranks = options_.device == "cpu" ? options_.gpus_per_node.value_or(2) : pods.gpus_per_node;
  order_ = order_of(options_, pods.nodes, ranks);
  order_.io = io_order_of(options_, order_, invocation().settings, IoPlace::far);
  workers_ = options_.worker_folder.empty() ? "/usr/local/bin" : options_.worker_folder;  // in the image
  const auto script = node_script(order_, kubernetes::reports_path, workers_, kubernetes::token_path);
  pods.command = templates::accept_pod_command(script, json_dump(to_json(order_)), kubernetes::reports_path);
  return pods;
}

LocalLaunch AcceptLoad::for_here() {
  order_ = order_here(options_, invocation().settings);
  if (!options_.dry_run) {
    workers_ = workers_folder(options_.worker_folder, invocation().settings, acceptance_workers(order_));
    container_ = with_io_folders(container_for(options_.container, invocation().settings));
    container_.mounts.push_back(workers_);
  }
  return {[this] { return run_here(); }, "the script that runs the workers", ""};
}

int AcceptLoad::run_here() {
  const auto start = local_start(folder(), order_.nodes, container_);
  return os::run_local(start.argv, std::nullopt, std::chrono::seconds(5), start.environment).exit_code;
}

SlurmLaunch AcceptLoad::for_slurm() {
  auto size = size_of(options_, invocation());
  order_ = order_of(options_, size.nodes, size.gpus_per_node);
  order_.io = io_order_of(options_, order_, invocation().settings, IoPlace::elsewhere);
  workers_ = workers_folder(options_.worker_folder, invocation().settings, acceptance_workers(order_));
  LaunchOptions launching;
  launching.project.no_deps = true;  // the workers need nothing of the project in this folder
  launching.request = request_of(options_, size);
  WorkOrder work;
  work.job.typed = {"rv", "accept"};
  work.job.measures = true;
  work.job.set_command({"bash", "-c", "exec bash \"$RV_RUN_DIR/accept/node.sh\""});
  work.prepare = [this](const monitor::RunFolder& run) { prepare(run.file("accept")); };
  auto container = with_io_folders(container_for(options_.container, invocation().settings));
  container.mounts.push_back(workers_);
  put_into_container(work, container);
  return {.launching = launching,
          .work = work,
          .known = std::move(size.cluster),
          .stream = !invocation().json,
          .throws_container = size.nodes > 1,
          .next = [](const auto& run) { return fmt::format("rv accept --judge {} judges it when it is over", run); }};
}

}  // namespace rv::cli
