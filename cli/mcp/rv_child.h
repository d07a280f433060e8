// rv as a child process whose end is polled for, so that the server can read its client's messages meanwhile.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/os/child.h"
#include "base/os/process.h"
#include "shared/system/descriptor.h"

namespace rv::mcp {

/// The rest of a longer output is not read. More than any document of rv, and little enough for a login node.
inline constexpr std::size_t most_output = std::size_t{32} << 20;

class RvChild {
 public:
  /// Starts this program with `arguments`, in a process group of its own and with an empty stdin. Throws Error.
  RvChild(const std::vector<std::string>& arguments, std::chrono::milliseconds deadline);

  /// Whether it has ended. Kills its process group when the deadline has passed.
  bool has_ended();
  /// Kills its process group and waits for the end.
  void kill();
  /// After the end.
  os::Result result() const;

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point start_;
  std::chrono::milliseconds deadline_;
  os::Descriptor out_;
  os::Descriptor err_;
  os::Child child_;
  bool timed_out_ = false;
  int exit_code_ = -1;
};

}  // namespace rv::mcp
