#include "planner/cluster/qos_order.h"

#include "base/text.h"

namespace rv::planner {

std::pair<const Qos*, const Qos*> qos_in_order(const Qos* of_partition, const Qos* of_job) {
  if (of_job != nullptr && contains(of_job->flags, "OverPartQOS")) std::swap(of_partition, of_job);
  return {of_partition, of_job};
}

Tres not_in(const Tres& first, Tres tres) {
  std::erase_if(tres, [&](const auto& one) { return first.contains(one.first); });
  return tres;
}

Qos without_limits_of(const Qos& first, Qos second) {
  for (const auto limit : {&Qos::max_tres_per_job, &Qos::max_tres_per_node, &Qos::max_tres_per_user,
                           &Qos::max_tres_per_account, &Qos::group_tres, &Qos::min_tres_per_job}) {
    second.*limit = not_in(first.*limit, second.*limit);
  }
  if (first.max_wall) second.max_wall.reset();
  for (const auto limit : {&Qos::group_jobs, &Qos::max_jobs_per_user, &Qos::max_jobs_per_account, &Qos::group_submit,
                           &Qos::max_submit_per_user, &Qos::max_submit_per_account}) {
    if (first.*limit) (second.*limit).reset();
  }
  return second;
}

}  // namespace rv::planner
