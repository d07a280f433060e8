#include "cli/map/task_journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "shared/system/write_all.h"

namespace rv::cli {
namespace {

using namespace std::chrono_literals;

/// fdatasync costs some milliseconds on a network file system, more than a short task.
constexpr auto between_stores = 1000ms;

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

void TaskJournal::write() {
  if (text_.empty()) return;
  stored_ = false;
  const auto text = std::move(text_);
  text_.clear();
  if (!os::write_all(file_.number(), text)) throw unwritten(path_);
}

std::chrono::milliseconds TaskJournal::store(bool now) {
  if (stored_) return 0ms;
  const auto passed = std::chrono::steady_clock::now() - last_;
  if (!now && passed < between_stores) return std::chrono::ceil<std::chrono::milliseconds>(between_stores - passed);
  if (::fdatasync(file_.number()) != 0) throw unwritten(path_);
  last_ = std::chrono::steady_clock::now();
  stored_ = true;
  return 0ms;
}

}  // namespace rv::cli
