#include "planner/predicted_end.h"

#include <algorithm>

#include "planner/replay/model/job_demand.h"
#include "planner/replay/model/run_times.h"

namespace rv::planner {

namespace {

using std::chrono::seconds;

/// Ratios of run time to limit at 10, 50 and 90 %, of a job that has used `used` of its limit.
std::vector<double> ratios_of(const RunTimes& times, const QueuedJob& job, double used) {
  constexpr int levels = 20;
  constexpr int draws = 50;
  const auto tail = RunTimes::tail(times.group(kind_of(job)), used);
  std::vector<double> ratios;
  for (int level = 0; level < levels; ++level) {
    for (int draw = 0; draw < draws; ++draw) {
      ratios.push_back(RunTimes::sample(tail, (level + 0.5) / levels, (draw + 0.5) / draws));
    }
  }
  std::sort(ratios.begin(), ratios.end());
  return {ratios[ratios.size() / 10], ratios[ratios.size() / 2], ratios[ratios.size() * 9 / 10]};
}

void take_later(std::optional<seconds>& of, seconds other) {
  of = std::max(of.value_or(other), other);
}

}  // namespace

std::optional<PredictedEnd> predicted_end(const Cluster& cluster, const std::vector<FinishedJob>& finished,
                                          std::string_view id) {
  const std::int64_t number = base_id(id);
  const RunTimes times(finished, &cluster);
  std::optional<PredictedEnd> end;
  for (const QueuedJob& job : cluster.jobs) {
    if (base_id(job.id) != number) continue;
    if (job.state != "RUNNING" || !job.start || !job.time_limit || job.time_limit->count() <= 0) return std::nullopt;
    if (!end) end.emplace();
    const seconds limit = *job.time_limit;
    const seconds ran = std::clamp(seconds(cluster.taken_at - *job.start), seconds(0), limit);
    end->latest = std::max(end->latest, limit - ran);
    if (times.size() == 0) continue;
    const double used = static_cast<double>(ran.count()) / static_cast<double>(limit.count());
    const auto ratios = ratios_of(times, job, used);
    const auto left = [&](double ratio) {
      const seconds whole(static_cast<std::int64_t>(ratio * static_cast<double>(limit.count())));
      return std::max(seconds(0), whole - ran);
    };
    take_later(end->p10, left(ratios[0]));
    take_later(end->p50, left(ratios[1]));
    take_later(end->p90, left(ratios[2]));
  }
  return end;
}

}  // namespace rv::planner
