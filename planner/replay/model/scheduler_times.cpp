#include "planner/replay/model/scheduler_times.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "planner/replay/model/release_steps.h"
#include "planner/slurm_words/release.h"

namespace rv::planner {

namespace {

class Parameters {
 public:
  explicit Parameters(const ControllerSettings& controller) : controller_(controller) {}

  bool has(const std::string& name) const { return controller_.scheduler_parameters.contains(name); }

  template <typename Number>
  Number value(const std::string& name, Number otherwise, Number least) const {
    const auto found = controller_.scheduler_parameters.find(name);
    if (found == controller_.scheduler_parameters.end()) return otherwise;
    std::int64_t number = 0;
    const std::string& text = found->second;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault != std::errc() || end == text.data()) return otherwise;
    return std::max(static_cast<Number>(std::min<std::int64_t>(number, never)), least);
  }

 private:
  const ControllerSettings& controller_;
};

}  // namespace

SchedulerTimes scheduler_times(const Cluster& cluster) {
  const Parameters parameters(cluster.controller);
  SchedulerTimes times;
  times.backfill = cluster.controller.scheduler_type != "sched/builtin";
  // _filter_exclusive_user_mcs_nodes() in sched/backfill.
  constexpr int first_behind_owners = 2411;
  times.plans_behind_owners = release_of(cluster.controller.version) >= first_behind_owners;
  times.backfill_interval = parameters.value<ReplayTime>("bf_interval", 30, 1);
  times.backfill_window = 60 * parameters.value<ReplayTime>("bf_window", 1440, 1);
  times.resolution = parameters.value<ReplayTime>("bf_resolution", 60, 1);
  times.backfill_depth = parameters.value<int>("bf_max_job_test", 500, 1);
  times.per_user = parameters.value<int>("bf_max_job_user", 0, 0);
  times.per_partition = parameters.value<int>("bf_max_job_part", 0, 0);
  times.starts_a_pass = parameters.value<int>("bf_max_job_start", 0, 0);
  times.array_reservations = parameters.value<int>("bf_max_job_array_resv", 20, 0);
  times.least_priority = parameters.value<std::int64_t>("bf_min_prio_reserve", 0, 0);
  times.main_depth = parameters.value<int>("default_queue_depth", 100, 0);
  // The epilog takes a moment, and the controller checks every second whether a pass is due.
  times.main_delay = 2;
  // _requeue_delay() in slurmctld, whose result is static: a reconfiguration does not change it.
  const auto life =
      static_cast<ReplayTime>(std::min<std::int64_t>(cluster.controller.credential_life.count(), never / 2));
  times.requeue_delay = parameters.value<ReplayTime>("requeue_delay", life, 0) + 1;
  if (parameters.has("defer"))
    times.submit_delay = std::max<ReplayTime>(1, parameters.value<ReplayTime>("batch_sched_delay", 3, 0));
  const auto now = cluster.taken_at.time_since_epoch().count();
  times.phase_of_resolution = now % times.resolution;
  times.phase_of_steps = now % ReleaseSteps::first_window;
  return times;
}

}  // namespace rv::planner
