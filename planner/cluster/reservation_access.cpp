#include "planner/cluster/reservation_access.h"

#include <algorithm>

#include "base/text.h"

namespace rv::planner {

namespace {

template <typename Name>
bool admits(const std::vector<Name>& names, const Name& name, const Name& refused) {
  if (names.empty()) return true;
  const auto has = [&](const Name& one) { return std::find(names.begin(), names.end(), one) != names.end(); };
  return names.front().starts_with("-") ? !has(refused) : has(name);
}

bool admits(const std::vector<DatabaseName>& names, const DatabaseName& name) {
  return admits(names, name, DatabaseName("-" + name.text()));
}

}  // namespace

bool admits(const Reservation& reservation, const JobRights& job) {
  return admits(reservation.users, job.user) && admits(reservation.accounts, job.account) &&
         admits(reservation.qos, job.qos) && admits(reservation.partitions, job.partition, "-" + job.partition);
}

bool is_magnetic_for(const Reservation& reservation, const JobRights& job, TimePoint begin,
                     std::chrono::seconds time_limit) {
  return contains(reservation.flags, "MAGNETIC") && reservation.start <= begin &&
         begin + time_limit <= reservation.end && admits(reservation, job);
}

}  // namespace rv::planner
