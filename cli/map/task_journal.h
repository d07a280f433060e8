// The journal of the tasks on this node, as it is written.
#pragma once

#include <chrono>
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
  /// Writes what was added with one call. Throws Error for a full disk.
  void write();
  /// Sees to it that all is stored, at most once per second unless `now`. Returns the time until the next call is due;
  /// zero: nothing is left to store.
  std::chrono::milliseconds store(bool now);

 private:
  std::string path_, text_;
  os::Descriptor file_;
  bool stored_ = true;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace rv::cli
