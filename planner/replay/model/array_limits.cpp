#include "planner/replay/model/array_limits.h"

#include <algorithm>

#include "planner/slurm_words/job_reason.h"

namespace rv::planner {

namespace {

bool waits_for_its_array(const QueuedJob& job) {
  const JobReason reason = job_reason(job.reason);
  return reason.kind == ReasonClass::waits && reason.resource == ReasonResource::jobs;
}

}  // namespace

ArrayLimits::ArrayLimits(const std::vector<const QueuedJob*>& jobs, ReplayModel& model) : model_(model) {
  for (const QueuedJob* job : jobs) {
    if (job->state != "PENDING" || job->id.find('_') == std::string::npos) continue;
    const int throttle = array_throttle(job->id);
    if (throttle <= 0 && !waits_for_its_array(*job)) continue;
    const auto number = static_cast<std::size_t>(numbers_.of(base_id(job->id)));
    if (number == model_.arrays.size()) model_.arrays.push_back({});
    model_.arrays[number].most = std::max(model_.arrays[number].most, throttle);
  }
}

void ArrayLimits::set_unprinted() const {
  for (ArrayLimit& array : model_.arrays) {
    if (array.most == 0) array.most = std::max(array.running, 1);
  }
}

}  // namespace rv::planner
