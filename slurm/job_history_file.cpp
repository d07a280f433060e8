#include "slurm/job_history_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "base/os/atomic_file.h"
#include "base/os/file_lock.h"
#include "shared/system/descriptor.h"
#include "slurm/query_cache.h"

namespace rv::slurm {
namespace {

using namespace std::chrono_literals;
using planner::TimePoint;

// One question to accounting. Small enough that slurmdbd answers it in a moment on a busy site; the first one is
// smaller still, so that there soon is something.
constexpr auto slice = 6h;
constexpr auto first_slice = 1h;
// A first reading goes back at most so many slices, the next ones as many further: 30 days in five refreshes.
constexpr int most_slices = 24;
// Between two questions, for the sake of everybody else's.
constexpr auto pause = 500ms;
// The end of a job may reach accounting late: the last stretch is read again.
constexpr auto lag = 30min;

std::string lock_path(const std::string& path) {
  return path + ".lock";
}

bool asked_lately(const std::string& path) {
  struct stat status = {};
  if (::stat(lock_path(path).c_str(), &status) != 0) return false;
  const auto age = std::chrono::system_clock::now() - std::chrono::system_clock::from_time_t(status.st_mtime);
  return age >= 0s && age < JobHistoryFile::interval;
}

std::optional<std::string> content(const std::string& path) {
  const os::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) return std::nullopt;
  struct stat status = {};
  std::string bytes;
  if (::fstat(file.number(), &status) == 0 && status.st_size > 0)
    bytes.resize(static_cast<std::size_t>(status.st_size));
  std::size_t have = 0;
  while (have < bytes.size()) {
    const auto count = ::read(file.number(), bytes.data() + have, bytes.size() - have);
    if (count <= 0) break;
    have += static_cast<std::size_t>(count);
  }
  bytes.resize(have);
  return bytes;
}

}  // namespace

JobHistoryFile::JobHistoryFile(const std::string& folder, std::string user) : user_(std::move(user)) {
  if (folder.empty() || user_.empty()) return;
  path_ = cache_file(folder, "jobs", user_);
}

std::optional<JobHistory> JobHistoryFile::read() const {
  if (path_.empty()) return std::nullopt;
  const auto bytes = content(path_);
  return bytes ? from_bytes(*bytes) : std::nullopt;
}

bool JobHistoryFile::due() const {
  return !path_.empty() && !asked_lately(path_);
}

bool JobHistoryFile::write(const JobHistory& history) const {
  return os::replace_file(path_, to_bytes(history));
}

bool JobHistoryFile::extend_from(Gateway& gateway, TimePoint now, const std::function<void()>& first) const {
  if (path_.empty()) return true;
  const bool lately = asked_lately(path_);
  // Locked on a file of its own: the history itself is replaced by each write.
  const auto lock = os::FileLock::try_take(lock_path(path_), os::WithoutLocks::leave);
  if (!lock || lately) return true;
  ::futimens(lock->number(), nullptr);  // when accounting was last asked
  if (first) first();
  auto history = read().value_or(JobHistory{.from = now, .to = now, .jobs = {}, .shows_others = false});
  const auto oldest = now - longest;
  // A gap to the last reading would look like a time without jobs: what is older than it counts no more.
  if (history.to < now - slice * most_slices) history = {.from = now, .to = now, .jobs = {}, .shows_others = false};

  const auto ask = [&](TimePoint from, TimePoint to) {
    auto answer = gateway.finished_jobs(from, to);
    if (!answer) return false;
    extend(history, from, to, std::move(answer.value->jobs), user_);
    return true;
  };
  int slices = 0;
  // What is new, oldest first here: it must adjoin what is there.
  for (auto from = history.empty() ? now : history.to - lag; from < now; from += slice, ++slices) {
    if (!ask(from, std::min(now, from + slice))) return false;
    trim(history, most_jobs, oldest);
    if (!write(history)) return true;  // a full disk: no use in asking on
  }
  while (slices < most_slices && history.from > oldest && history.jobs.size() < most_jobs) {
    const auto step = history.empty() ? first_slice : slice;
    if (!ask(std::max(oldest, history.from - step), history.from)) return false;
    ++slices;
    std::this_thread::sleep_for(pause);
    trim(history, most_jobs, oldest);
    if (!write(history)) return true;
  }
  return true;
}

}  // namespace rv::slurm
