// A child process that frames are exchanged with over its stdin and stdout.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "shared/system/descriptor.h"

namespace rv::os {

class PipedChild {
 public:
  /// Starts argv; its stderr goes nowhere. `environment` ("NAME=value") is used where it is not empty. Throws Error
  /// when no process can be made; a program that is missing shows as an end without output.
  explicit PipedChild(const std::vector<std::string>& argv, const std::vector<std::string>& environment = {});
  /// Ends the child (SIGTERM, after two seconds SIGKILL).
  ~PipedChild();
  PipedChild(const PipedChild&) = delete;
  PipedChild& operator=(const PipedChild&) = delete;

  int to() const { return to_.number(); }
  int from() const { return from_.number(); }
  /// Waits for its end, for a few seconds. Its exit code, 128 + N for a signal, -1 when it does not end.
  int wait();

 private:
  Descriptor to_;
  Descriptor from_;
  pid_t pid_ = -1;
};

}  // namespace rv::os
