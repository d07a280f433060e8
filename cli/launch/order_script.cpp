#include "cli/launch/order_script.h"

#include <filesystem>

#include "base/os/current_folder.h"
#include "cli/launch/after_option.h"
#include "cli/launch/work_order.h"
#include "cli/options/checkpoint_options.h"
#include "cli/settings/worker_places.h"
#include "cli/setup/user_secrets.h"

namespace rv::cli {
namespace {

/// Empty where the system does not tell.
std::string this_program() {
  std::error_code fault;
  return std::filesystem::read_symlink("/proc/self/exe", fault).string();
}

}  // namespace

ResolvedInputs resolve_inputs(templates::JobSpec& job, const Settings& settings) {
  ResolvedInputs inputs;
  inputs.environment = user_secrets_script(settings.home);
  if (job.after) {
    const auto following = follow_run_of(*job.after, settings);
    job.after.reset();
    if (following) {
      job.after = following->after;
      inputs.predecessor = following->predecessor;
    }
  }
  if (job.chain && !job.chain->from.empty()) {
    const auto source = checkpoint_source(job.chain->from, settings);
    job.chain->from = source.id();
    inputs.checkpoint_folder = source.file("checkpoint");
  }
  return inputs;
}

ScriptRun preview_run(const planner::Request& request, const templates::JobSpec& job, const Settings& settings) {
  const std::string id = "preview";
  return {.id = id, .folder = settings.runs_folder() + "/" + id, .name = run_name(request, job)};
}

std::string order_script(const templates::JobSpec& job, const ResolvedInputs& inputs, const planner::Strategy& strategy,
                         int candidate, const Settings& settings, const ScriptRun& run) {
  if (strategy.kind == planner::Kind::checkpoint) check_segments(job.chain.value_or(templates::Chain{}), strategy);
  auto setup = settings.setup_lines;
  setup.insert(setup.end(), inputs.project_setup.begin(), inputs.project_setup.end());
  const bool polls = job.retries || job.preflight || job.after;
  return templates::render_job_script(strategy, job,
                                      {.run_id = run.id,
                                       .run_folder = run.folder,
                                       .candidate = candidate,
                                       .job_name = templates::run_job_name(run.name, run.id, candidate),
                                       .work_folder = os::current_folder(),
                                       .scratch = settings.scratch,
                                       .setup_lines = std::move(setup),
                                       .predecessor = inputs.predecessor,
                                       .checkpoint_folder = inputs.checkpoint_folder,
                                       .user_secrets = !inputs.environment.empty(),
                                       .gpu_curves = settings.gpu_curves && !job.measures,
                                       .gpu_sampler = gpu_sampler(settings),
                                       .rv_program = polls ? this_program() : ""});
}

}  // namespace rv::cli
