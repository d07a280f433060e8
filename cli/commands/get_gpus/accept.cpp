// rv accept: tests nodes and their GPUs, and reports which are faulty and why.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "cli/acceptance/accept_load.h"
#include "cli/acceptance/acceptance_folder.h"
#include "cli/acceptance/io_order.h"
#include "cli/acceptance/workers_folder.h"
#include "cli/acceptance/write_verdict.h"
#include "cli/commands/commands.h"
#include "cli/kubernetes/accept_on_kubernetes.h"
#include "cli/launch/container.h"
#include "cli/launch/follow_run.h"
#include "cli/launch/launch_options.h"
#include "cli/launch/no_container.h"
#include "cli/launch/planning.h"
#include "cli/load/hosts_place.h"
#include "cli/load/local_place.h"
#include "cli/options/accept_options.h"
#include "cli/options/command_option.h"
#include "cli/options/given.h"
#include "cli/options/hosts_options.h"
#include "cli/views/accept_view.h"
#include "monitor/run/resolve_run.h"
#include "planner/strategies/type_match.h"

namespace rv::cli {
namespace {

constexpr auto footer =
    "Every suite runs on each node, and on all nodes together. The models (resnet18, …) time the training\n"
    "of real networks. io measures file systems and the network between nodes, and needs no GPU. Every\n"
    "figure is compared with its baseline and with its peers. A finding names the GPU and what to do.\n"
    "Exit codes: 0 pass, 1 fail, 3 something could not be measured, 77 something was skipped.\n"
    "\n"
    "Examples:\n"
    "  rv accept                                   test all GPUs of a node, about a minute\n"
    "  rv accept --nodes 4 --gpus-per-node 8 --type h100 --full\n"
    "  rv accept --nodelist n[01-16] --report-dir monday\n"
    "  rv accept --local                           test this host, without Slurm\n"
    "  rv accept --local --tier prolog             only readings, for a prolog or a health check\n"
    "  rv accept --hosts hosts.txt --slots 8       test these hosts over ssh\n"
    "  rv accept --fabric ib --nodes 2             only over InfiniBand, proven by NCCL's log\n"
    "  rv accept --nodes 2 --suite resnet50,transformer\n"
    "                                              time real networks on two nodes\n"
    "  rv accept --nodes 4 --suite io              test file systems and network\n"
    "  rv accept --history n07                     show the figures of its GPUs over time\n"
    "  rv accept --save-baseline healthy.yaml; rv accept --nodelist n07 --baseline healthy.yaml\n"
    "  rv accept --kubernetes --nodes 4 --image IMAGE | kubectl apply -f -    then --kubernetes --collect NAME";

/// The most GPUs that one node has, of the type that is asked for.
int whole_node(const planner::Cluster& cluster, const planner::Request& request,
               const planner::GpuCatalogue& catalogue) {
  std::vector<planner::GpuModel> on_cluster;
  for (const auto& node : cluster.nodes) {
    for (const auto& pool : node.gpus) on_cluster.push_back(planner::identify(catalogue, node, pool));
  }
  const auto models = planner::match_types(request.types, catalogue, on_cluster).models;
  int most = 0;
  for (const auto& node : cluster.nodes) {
    const bool listed = request.nodelist.empty() || std::find(request.nodelist.begin(), request.nodelist.end(),
                                                              node.name) != request.nodelist.end();
    if (!listed) continue;
    for (const auto& pool : node.gpus) {
      const auto model = planner::identify(catalogue, node, pool);
      const bool meant =
          models.empty() ? !model.mig : std::find(models.begin(), models.end(), model.name) != models.end();
      if (meant) most = std::max(most, pool.total);
    }
  }
  return std::max(most, 1);
}

struct Size {
  int nodes = 1;
  int gpus_per_node = 1;
  std::optional<KnownCluster> cluster;  // where it had to be read to know the size
};

/// With one GPU on every node: the total is not known yet.
planner::Request one_gpu_a_node(const RequestOptions& typed, const Settings& settings) {
  RequestOptions each = typed;
  each.gpus = std::max(typed.nodes.value_or(1), static_cast<int>(typed.nodelist.size()));
  return to_request(each, settings);
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
  // Tests without GPUs still request the minimum that rv can.
  if (without_gpus(options)) return {nodes, 1, std::nullopt};
  auto known = cluster_with_note(typed, invocation);
  const int whole = whole_node(known.cluster, least, invocation.settings.catalogue);
  return {nodes, whole, std::move(known)};
}

/// The request to Slurm: whole nodes, and the defaults of an acceptance.
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

int judge_again(const AcceptOptions& options, const Invocation& invocation) {
  std::error_code fault;
  if (std::filesystem::is_regular_file(options.judge + "/order.json", fault)) {
    const auto name = std::filesystem::path(options.judge).lexically_normal();
    return write_verdict(options.judge, name.has_filename() ? name.filename() : name.parent_path().filename(), "",
                         options, invocation);
  }
  if (std::filesystem::is_regular_file(options.judge, fault)) {
    throw Error(fmt::format("--judge {} is a file: expected a run or the folder of an acceptance", options.judge),
                "for the saved logs of pods: rv accept --kubernetes --judge FILE", ExitCode::usage);
  }
  const auto run = monitor::resolve_run(monitor::known_runs(invocation.settings.runs_folder()), options.judge);
  return write_verdict(run.folder.file("accept"), run.folder.id(), run.over ? "" : "the run is not over", options,
                       invocation);
}

WorkOrder work_order(const AcceptOptions& options, const accept::Order& order, const Invocation& invocation) {
  const auto workers = workers_folder(options.workers, invocation.settings, acceptance_workers(order));
  WorkOrder work;
  work.job.typed = {"rv", "accept"};
  work.job.measures = true;
  work.job.execute({"bash", "-c", "exec bash \"$RV_RUN_DIR/accept/node.sh\""});
  work.prepare = [order, workers](const monitor::RunFolder& folder) {
    prepare_acceptance(folder.file("accept"), order, workers);
  };
  auto container = container_for(options.container, invocation.settings);
  container.mounts.push_back(workers);
  for (const auto& path : io_paths(order.io)) container.mounts.push_back(path);
  put_into_container(work, container);
  return work;
}

int through_slurm(const AcceptOptions& options, const Invocation& invocation) {
  auto size = size_of(options, invocation);
  auto order = order_of(options, size.nodes, size.gpus_per_node);
  order.io = io_order_of(options, order, invocation.settings, IoPlace::elsewhere);
  LaunchOptions launching;
  launching.project.no_deps = true;  // the workers do not use the project in this folder
  launching.request = request_of(options, size);
  launching.dry_run = options.dry_run;
  const auto launched = launch(launching, work_order(options, order, invocation), invocation, std::move(size.cluster));
  if (!launched.folder) {
    if (options.dry_run && !invocation.json) fmt::print("{}", steps_text(order));
    return launched.exit_code;
  }
  const auto& folder = *launched.folder;
  slurm::Gateway gateway;
  const auto attended = attend(folder, gateway, invocation,
                               {.detach = options.detach,
                                .stream = !invocation.json,
                                .next = fmt::format("rv accept --judge {} judges it when it is over", folder.id())});
  if (attended.exit_code) return *attended.exit_code;
  if (const auto error = container_error(options.container, folder, attended.view, gateway)) {
    if (invocation.json || size.nodes > 1) throw Error(*error);
    explain_end(folder, attended.view, invocation.terminal);  // its lines have come with the node's output
    return no_container;
  }
  const bool well = attended.view.state == monitor::RunState::done;
  if (!well && !invocation.json) explain_end(folder, attended.view, invocation.terminal);
  const std::string trouble = well ? "" : fmt::format("the run ended before its time: {}", attended.view.detail);
  return write_verdict(folder.file("accept"), folder.id(), trouble, options, invocation);
}

/// Hosts that are named one by one are reached from here, and kubectl is where it is called.
bool belongs_here(const CLI::App& called) {
  return given(called, "--hosts") || given(called, "--kubernetes") || on_saved_cluster(called);
}

/// Whether this ends with a verdict, be it later; else no figure is compared and no report is written.
bool judges(const AcceptOptions& options) {
  const auto& asked = *options.kubernetes;
  return !options.history && (!asked.wanted || !asked.collect.empty() || !options.judge.empty());
}

void add_accept(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = add_accept_options(command);
  hide_options(command, {"--single-node", "--window"});
  set_footer(command, footer);
  set_callback(command, [=, &invocation, &action] {
    action = [=, &invocation] {
      if (judges(*options)) check_files(*options, invocation.settings);
      if (options->kubernetes->wanted) return accept_on_kubernetes(*options, invocation);
      if (options->history) return show_history(*options->history, invocation);
      if (!options->judge.empty()) return judge_again(*options, invocation);
      check_slots(options->hosts, options->slots);
      if (!options->hosts && !options->local) return through_slurm(*options, invocation);
      AcceptLoad load(*options, invocation);
      if (options->hosts) return run_load(load, HostsPlace(*options->hosts));
      return run_load(load, LocalPlace());
    };
  });
}

}  // namespace

extern const Command accept_command{
    .name = "accept",
    .summary = "Test nodes and GPUs, and name faulty ones",
    .group = groups::test_gpus,
    .common = {"nodes", "gpus-per-node", "type", "nodelist", "partition", "account", "full", "suite", "local", "hosts",
               "baseline", "report-dir", "detach", "dry-run"},
    .stays_here = belongs_here,
    .add = add_accept,
};

}  // namespace rv::cli
