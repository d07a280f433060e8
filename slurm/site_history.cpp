#include "slurm/site_history.h"

#include <chrono>

#include "base/os/detached_process.h"
#include "shared/time_text.h"
#include "slurm/gateway.h"
#include "slurm/job_history_file.h"
#include "slurm/query_cache.h"

namespace rv::slurm {
namespace {

using namespace std::chrono_literals;

// Nobody waits for these, so a slow database may take its time; a hung one must not hold the lock for long.
constexpr auto patience = 20s;

QueryCache priority_cache(const std::string& folder, const std::string& user) {
  return {folder, "priority", user, 60min};
}

void update_site_history(const std::string& folder, const std::string& user, planner::TimePoint now) {
  const JobHistoryFile file(folder, user);
  Gateway gateway(patience);
  file.extend_from(gateway, now, [&] {
    if (const auto answer = gateway.priority_answer(user)) priority_cache(folder, user).write(*answer.value);
  });
}

}  // namespace

SiteHistory read_site_history(const std::string& folder, const std::string& user) {
  SiteHistory learned;
  if (folder.empty() || user.empty()) return learned;
  learned.history = JobHistoryFile(folder, user).read();
  if (const auto text = priority_cache(folder, user).read()) learned.priority = parse_priority(*text);
  return learned;
}

void refresh_site_history_in_background(const std::string& folder, const std::string& user) {
  if (!JobHistoryFile(folder, user).due()) return;
  os::run_detached([&] { update_site_history(folder, user, current_time()); });
}

}  // namespace rv::slurm
