// The journal of the tasks on this node, as it is written.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "monitor/tasks/task_record.h"
#include "shared/system/descriptor.h"

namespace rv::cli {

class TaskJournal {
 public:
  /// Makes the file. Throws Error, also if it is there already: another process has the same name then.
  explicit TaskJournal(std::string path);

  /// Keeps the record for the next write.
  void add(const monitor::TaskRecord& record);
  /// Writes what was added. False while the disk is full: the rest is kept, and the next call tries again. Throws Error
  /// if that lasts ten minutes, and for any other failure.
  bool write();
  /// Sees to it that all is stored, at most once per second unless `now`. Returns the time until the next call of it or
  /// of write() is due; zero: nothing is left to store.
  std::chrono::milliseconds store(bool now);

 private:
  using Clock = std::chrono::steady_clock;

  std::string path_, text_;
  os::Descriptor file_;
  bool stored_ = true;
  Clock::time_point last_;
  std::optional<Clock::time_point> full_since_;
};

}  // namespace rv::cli
