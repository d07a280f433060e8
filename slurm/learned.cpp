#include "slurm/learned.h"

#include <chrono>

#include "slurm/detached_process.h"
#include "slurm/gateway.h"
#include "slurm/job_history_file.h"
#include "slurm/kept_answer.h"

namespace rv::slurm {
namespace {

using namespace std::chrono_literals;

// Nobody waits for these, so a slow database may take its time; a hung one must not hold the lock for long.
constexpr auto patience = 20s;

KeptAnswer kept_priority(const std::string& folder, const std::string& user) {
  return {folder, "priority", user, 60min};
}

}  // namespace

Learned read_learned(const std::string& folder, const std::string& user) {
  Learned learned;
  if (folder.empty() || user.empty()) return learned;
  learned.history = JobHistoryFile(folder, user).read();
  if (const auto text = kept_priority(folder, user).read()) learned.priority = parse_priority(*text);
  return learned;
}

void learn_in_background(const std::string& folder, const std::string& user) {
  if (!JobHistoryFile(folder, user).due()) return;
  run_detached(
      [&] { learn(folder, user, std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now())); });
}

void learn(const std::string& folder, const std::string& user, planner::TimePoint now) {
  const JobHistoryFile file(folder, user);
  Gateway gateway(patience);
  file.extend_from(gateway, now, [&] {
    if (const auto answer = gateway.priority_answer(user)) kept_priority(folder, user).write(*answer.value);
  });
}

}  // namespace rv::slurm
