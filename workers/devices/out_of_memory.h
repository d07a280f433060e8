#pragma once

#include <stdexcept>
#include <string>

namespace rv::workers {

/// The memory of a GPU or of the host is insufficient. Reports set a field for it (cause.h), so that rv need not parse
/// the message.
class OutOfMemory : public std::runtime_error {
 public:
  /// `doing`: the operation that failed, for example "allocate GPU memory".
  explicit OutOfMemory(const std::string& doing) : std::runtime_error("out_of_memory: " + doing) {}
};

}  // namespace rv::workers
