// One client at a time submits for a run.
#pragma once

#include <memory>

#include "monitor/run/run_folder.h"

namespace rv::monitor {

/// The right to submit for one run, held by one process on any machine. Freed when the process ends, however it ends.
class SubmitLock {
 public:
  /// Nothing when another process has it.
  static std::unique_ptr<SubmitLock> try_take(const RunFolder& folder);
  ~SubmitLock();
  SubmitLock(const SubmitLock&) = delete;
  SubmitLock& operator=(const SubmitLock&) = delete;

 private:
  explicit SubmitLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace rv::monitor
