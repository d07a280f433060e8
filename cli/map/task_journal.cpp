#include "cli/map/task_journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace rv::cli {
namespace {

using namespace std::chrono_literals;

/// fdatasync costs some milliseconds on a network file system, more than a short task.
constexpr auto between_stores = 1000ms;

constexpr auto longest_full = 10min;

Error unwritten(const std::string& path) {
  return {"can't write the results of tasks to " + path + ": " + std::strerror(errno),
          "free some space there; rv map --resume runs what is left"};
}

}  // namespace

TaskJournal::TaskJournal(std::string path)
    : path_(std::move(path)), file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600)) {
  if (file_.number() < 0) throw unwritten(path_);
}

void TaskJournal::add(const monitor::TaskRecord& record) {
  text_ += monitor::to_line(record);
  text_ += '\n';
}

bool TaskJournal::write() {
  while (!text_.empty()) {
    const ssize_t count = ::write(file_.number(), text_.data(), text_.size());
    if (count > 0) {
      text_.erase(0, static_cast<std::size_t>(count));
      stored_ = false;
    } else if (count < 0 && errno == EINTR) {
      continue;
    } else {
      const auto now = Clock::now();
      if (!full_since_) full_since_ = now;
      const bool full = errno == ENOSPC || errno == EDQUOT;
      if (!full || now - *full_since_ > longest_full) throw unwritten(path_);
      return false;
    }
  }
  full_since_.reset();
  return true;
}

std::chrono::milliseconds TaskJournal::store(bool now) {
  if (full_since_) return between_stores;
  if (stored_) return 0ms;
  const auto passed = Clock::now() - last_;
  if (!now && passed < between_stores) return std::chrono::ceil<std::chrono::milliseconds>(between_stores - passed);
  if (::fdatasync(file_.number()) != 0) throw unwritten(path_);
  last_ = Clock::now();
  stored_ = true;
  return 0ms;
}

}  // namespace rv::cli
