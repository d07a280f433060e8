#include "cli/launch/start_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/current_folder.h"
#include "base/os/host_name.h"
#include "base/os/interrupt.h"
#include "base/text.h"
#include "cli/code/snapshot_for_run.h"
#include "cli/json/values_json.h"
#include "cli/options/passed_option.h"
#include "cli/settings/scratch_caches.h"
#include "monitor/race/background.h"
#include "monitor/run/hard_links.h"
#include "monitor/run/run_secrets.h"
#include "planner/strategies/fan_out.h"
#include "shared/documents/json_dump.h"

namespace rv::cli {
namespace {

std::string dump(const nlohmann::ordered_json& json) {
  return json_dump(json) + "\n";
}

std::optional<double> su_per_hour(const planner::Strategy& strategy) {
  const double hours = std::chrono::duration<double, std::ratio<3600>>(strategy.work_time).count();
  if (!strategy.cost_su || hours <= 0) return std::nullopt;
  return *strategy.cost_su / hours;
}

monitor::Candidate candidate_of(const planner::Strategy& strategy, int number, const std::string& job_name) {
  return {.number = number,
          .job_name = job_name,
          .summary = summary(strategy),
          .gpu_type = strategy.gpu.name,
          .gpus = strategy.gpus(),
          .nodes = strategy.nodes,
          .partition = joined(strategy.partitions),
          .free_now = strategy.wait.basis == planner::free_now_basis,
          .time_limit = strategy.time_limit,
          .cost_su = strategy.cost_su,
          .su_per_hour = su_per_hour(strategy),
          .exclude = strategy.exclude,
          .wait = strategy.wait};
}

// The plan assumes one job that may start now; the differences are corrected here.
void adapt(monitor::Candidate& candidate, const monitor::RunRecord& record) {
  if (record.job.array && candidate.cost_su)
    *candidate.cost_su *= static_cast<double>(record.job.array->elements.size());
  if (record.job.after || !not_counted(record.job.sbatch).empty()) {
    // The prediction does not include how long the other run takes, nor what these options do. A wait does not show
    // that the plan was wrong.
    candidate.free_now = false;
    candidate.wait = {};
  }
}

}  // namespace

std::vector<std::size_t> race_numbers(const planner::Plan& plan, int fanout, bool segments) {
  std::vector<planner::Strategy> eligible;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < plan.strategies.size(); ++i) {
    const auto& strategy = plan.strategies[i];
    if (refused_by_controller(strategy) || (strategy.kind == planner::Kind::checkpoint) != segments) continue;
    eligible.push_back(strategy);
    numbers.push_back(i);
  }
  std::vector<std::size_t> chosen;
  for (const std::size_t number : planner::fan_out(eligible, fanout)) chosen.push_back(numbers[number]);
  return chosen;
}

std::vector<planner::Strategy> strategies_to_race(const planner::Plan& plan, int fanout,
                                                  const templates::JobSpec& job) {
  std::vector<planner::Strategy> chosen;
  // Strategies in segments race only among themselves, and only for a command with --checkpoint.
  for (const std::size_t number : race_numbers(plan, fanout, job.chain.has_value())) {
    chosen.push_back(plan.strategies[number]);
  }
  return chosen;
}

std::string summary(const planner::Strategy& strategy) {
  return fmt::format("{} on {}", shape_in_words(strategy), joined(strategy.partitions));
}

monitor::RunFolder write_run(const planner::Cluster& cluster, const planner::Request& request,
                             const planner::Plan& plan, const Settings& settings, const WorkOrder& order,
                             const ResolvedInputs& inputs, int fanout) {
  check_scratch_caches(settings.scratch);
  auto folder = monitor::RunFolder::create(settings.runs_folder());
  const auto now = std::chrono::system_clock::now();
  const auto created = std::chrono::floor<std::chrono::seconds>(now);
  monitor::RunRecord record{.id = folder.id(),
                            .name = run_name(request, order.job),
                            .job = order.job,
                            .work_folder = os::current_folder(),
                            .host = os::host_name(),
                            .cluster = cluster.controller.cluster_name.text(),
                            .created = created,
                            .created_ns = now - created,
                            .head_start_s = settings.head_start_s,
                            .node_memory = settings.node_memory,
                            .candidates = {}};
  const ScriptRun run{.id = record.id, .folder = folder.path(), .name = record.name};
  try {
    monitor::require_hard_links(folder.ledger(), settings.scratch);
    if (order.prepare) order.prepare(folder);
    if (!inputs.environment.empty()) monitor::write_environment(folder, inputs.environment);
    for (const auto& strategy : strategies_to_race(plan, fanout, order.job)) {
      const int number = static_cast<int>(record.candidates.size()) + 1;
      const std::string candidate_folder = folder.file("candidates/" + std::to_string(number));
      os::make_folder(candidate_folder);
      os::write_file(candidate_folder + "/script.sh", order_script(order.job, inputs, strategy, number, settings, run));
      record.candidates.push_back(candidate_of(strategy, number, templates::run_job_name(run.name, run.id, number)));
      adapt(record.candidates.back(), record);
    }
    os::write_file(folder.file("request.json"), dump(request_to_json(request)));
    folder.publish(record);
    // rv gc looks for runs that name this checkpoint after it has moved the folder aside; so one of both sees the
    // other.
    if (!inputs.checkpoint_folder.empty() && !std::filesystem::exists(inputs.checkpoint_folder)) {
      throw Error(fmt::format("--checkpoint-from: {} is being removed by rv gc", inputs.checkpoint_folder),
                  "no run was created; start it again if the folder still exists", ExitCode::usage);
    }
    if (os::take_interrupt()) {
      throw Error("interrupted before anything was submitted", "no run was created; start it again",
                  ExitCode::interrupted);
    }
  } catch (...) {
    // Nothing has been submitted, so the incomplete folder is removed.
    std::error_code ignored;
    std::filesystem::remove_all(folder.path(), ignored);
    throw;
  }
  return folder;
}

monitor::RunFolder start_run(const planner::Cluster& cluster, const planner::Request& request,
                             const planner::Plan& plan, const Settings& settings, const WorkOrder& order,
                             const ResolvedInputs& inputs, int fanout) {
  // A Ctrl-C that ended rv before it follows the run would leave a race without any message to the user.
  os::catch_interrupts();
  auto folder = write_run(cluster, request, plan, settings, order, inputs, fanout);
  monitor::submit_in_background(folder);
  record_code(folder.path(), os::current_folder(), settings.home);

  // The input of the decision, for replaying it. It can be large, so the submissions don't wait for it.
  nlohmann::ordered_json strategies = nlohmann::ordered_json::array();
  for (const auto& strategy : plan.strategies) {
    strategies.push_back(strategy_to_json(strategy, static_cast<int>(strategies.size()) + 1));
  }
  try {
    os::write_file(folder.file("plan.json"), dump({{"strategies", strategies}}));
    os::write_file(folder.file("cluster.json"), dump(cluster_to_json(cluster)));
  } catch (const Error&) {
    return folder;  // a full disk costs the replay, not the run
  }
  return folder;
}

}  // namespace rv::cli
