// A child process that exchanges frames with this process over its stdin and stdout.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "shared/system/descriptor.h"

namespace rv::os {

class PipedChild {
 public:
  /// Starts argv with stderr on /dev/null. `environment` ("NAME=value") replaces this process's own unless it is empty.
  /// Throws Error if no process can be created. A missing program appears as an end without output.
  explicit PipedChild(const std::vector<std::string>& argv, const std::vector<std::string>& environment = {});
  /// Ends the child (SIGTERM, after two seconds SIGKILL).
  ~PipedChild();
  PipedChild(const PipedChild&) = delete;
  PipedChild& operator=(const PipedChild&) = delete;

  int to() const { return to_.number(); }
  int from() const { return from_.number(); }
  /// Waits a few seconds for its end. Returns the exit code, 128 + N for signal N, -1 if it has not ended.
  int wait();

 private:
  Descriptor to_;
  Descriptor from_;
  pid_t pid_ = -1;
};

}  // namespace rv::os
