#include "cli/inside/start_inside.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/os/current_folder.h"
#include "base/os/interrupt.h"
#include "base/text.h"
#include "cli/code/snapshot_for_run.h"
#include "cli/inside/host_run.h"
#include "cli/launch/confirm_project.h"
#include "cli/launch/prepare_on_node.h"
#include "cli/launch/preview.h"
#include "cli/launch/project_environment.h"
#include "monitor/race/background.h"

namespace rv::cli {
namespace {

/// The project's environment, made if there is none yet.
void add_environment(const LaunchOptions& options, WorkOrder& order, ResolvedInputs& inputs,
                     const Invocation& invocation) {
  const auto needs = needs_of(options, order, invocation);
  if (!needs) return;
  say_needs(*needs, invocation);
  confirm_project(*needs, invocation, options.project.trust_project);
  if (needs->environment) return add_project(order.job, inputs, *needs);
  const auto made = built_on_node(*needs, invocation.settings) ? prepare_on_node(*needs, *options.request, invocation)
                                                               : prepare_for_run(*needs, invocation);
  add_project(order.job, inputs, made);
}

/// "A40" of "2×4 A40 on gpu-a40".
std::string gpu_title(const monitor::Candidate& winner) {
  const auto& text = winner.summary;
  const auto begin = text.find(' ') + 1;
  return text.substr(begin, text.find(" on ") - begin);
}

/// The command's part of the host, as a plan with one strategy. It costs nothing: the host is charged.
planner::Strategy strategy_for(const HostRun& host, const Share& share) {
  planner::Strategy strategy;
  if (share.gpus > 0) strategy.gpu.name = host.winner.gpu_type;
  strategy.gpu.title = gpu_title(host.winner);
  strategy.gpus_per_node = share.gpus;
  strategy.cpus_per_node = share.cpus;
  strategy.partitions = {host.winner.partition};
  strategy.work_time = std::chrono::hours(1);
  strategy.cost_su = 0;
  return strategy;
}

void say_wait(const HostRun& host, const Share& share, bool overlap, const Invocation& invocation) {
  const int free = host.winner.gpus - host.gpus_in_use;
  if (invocation.json || overlap || share.gpus <= free) return;
  fmt::print(stderr, "rv: {} of {} GPUs of run {} are free; the command waits for {} (in use by {})\n",
             std::max(0, free), host.winner.gpus, host.record.id, share.gpus, listed(host.used_by));
}

}  // namespace

Launched launch_inside(const LaunchOptions& options, const InsideOptions& inside, WorkOrder order,
                       const Invocation& invocation) {
  const auto& request = *options.request;
  if (request.cpus && request.cores_per_task) {
    throw Error("-c and --cpus can't be combined", "remove one of them", ExitCode::usage);
  }
  const auto host = find_host(inside, invocation.settings);
  const auto share = share_of(host, inside, request.gpus, request.cpus ? request.cpus : request.cores_per_task);
  say_what_runs(order, invocation);
  auto inputs = resolve_inputs(order.job, invocation.settings);
  add_environment(options, order, inputs, invocation);
  order.job.preflight = false;  // the settings' default is for jobs
  order.job.inside = {.run = host.record.id,
                      .job = static_cast<int>(host.job.id.number),
                      .job_name = host.job.name,
                      .cpus = share.cpus,
                      .overlap = inside.overlap};
  planner::Cluster cluster;
  cluster.controller.cluster_name = planner::DatabaseName(host.record.cluster);
  planner::Request described;
  described.gpus = share.gpus;
  described.cpus = share.cpus;
  described.name = request.name;
  const planner::Plan plan{.strategies = {strategy_for(host, share)}, .rejected = {}};
  os::catch_interrupts();
  auto folder = write_run(cluster, described, plan, invocation.settings, order, inputs, /*fanout=*/1);
  monitor::submit_in_background(folder);
  record_code(folder.path(), os::current_folder(), invocation.settings.home);
  say_wait(host, share, inside.overlap, invocation);
  return {std::move(folder), 0};
}

}  // namespace rv::cli
