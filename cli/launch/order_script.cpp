#include "cli/launch/order_script.h"

#include "base/os/current_folder.h"
#include "cli/setup/user_secrets.h"
#include "settings/worker_places.h"

namespace rv::cli {

OrderGrounds grounds_of(const WorkOrder& order, const Settings& settings) {
  return {.following = order.after ? follow_run_of(*order.after, settings) : std::nullopt,
          .checkpoint_from = order.checkpoint ? checkpoint_source(*order.checkpoint, settings) : "",
          .project = {},
          .project_from = "",
          .project_setup = {},
          .environment = user_secrets_script(settings.home)};
}

ScriptRun preview_run(const planner::Request& request, const WorkOrder& order, const Settings& settings) {
  const std::string id = "preview";
  return {.id = id, .folder = settings.runs_folder() + "/" + id, .name = run_name(request, order)};
}

templates::JobFacts job_facts(const WorkOrder& order, const OrderGrounds& grounds, const planner::Strategy& strategy,
                              int candidate, const Settings& settings, const ScriptRun& run) {
  templates::Chain chain;
  if (order.checkpoint) {
    chain = chain_for(*order.checkpoint, strategy, grounds.checkpoint_from);
  } else if (strategy.kind == planner::Kind::checkpoint) {
    // A strategy in segments is shown to those, too, who have not said yet that their command saves its state.
    chain = chain_for({}, strategy, "");
  }
  auto setup = settings.setup_lines;
  setup.insert(setup.end(), grounds.project_setup.begin(), grounds.project_setup.end());
  return {.run_id = run.id,
          .run_folder = run.folder,
          .candidate = candidate,
          .job_name = templates::run_job_name(run.name, run.id, candidate),
          .work_folder = os::current_folder(),
          .purpose = order.hold() ? templates::Purpose::hold : templates::Purpose::command,
          .command = order.command,
          .processes_per_node = order.processes_per_node,
          .outputs = order.outputs,
          .scratch = settings.scratch,
          .setup_lines = std::move(setup),
          .chain = chain,
          .array = order.array.for_sbatch,
          .array_elements = static_cast<int>(order.array.elements.size()),
          .after = grounds.following ? std::optional(grounds.following->predecessor) : std::nullopt,
          .requeue = order.requeue,
          .notify_folder = order.notify_folder,
          .notify_on = order.notify_on,
          .container = order.container,
          .container_shell = order.container_shell,
          .project = grounds.project,
          .unattended = order.unattended,
          .idle_stop = order.idle_stop,
          .joined_output = order.joined_output,
          .user_secrets = !grounds.environment.empty(),
          .gpu_curves = settings.gpu_curves && !order.measures,
          .gpu_sampler = gpu_sampler(settings)};
}

std::string order_script(const WorkOrder& order, const OrderGrounds& grounds, const planner::Strategy& strategy,
                         int candidate, const Settings& settings, const ScriptRun& run) {
  return templates::render_job_script(strategy, job_facts(order, grounds, strategy, candidate, settings, run));
}

}  // namespace rv::cli
