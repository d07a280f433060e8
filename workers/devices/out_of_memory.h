#pragma once

#include <stdexcept>
#include <string>

namespace rv::workers {

/// A GPU's or the host's memory was not enough. Whoever reports that says so in a field, beside the words.
class OutOfMemory : public std::runtime_error {
 public:
  /// `doing`: what could not be done, "allocate GPU memory".
  explicit OutOfMemory(const std::string& doing) : std::runtime_error("out_of_memory: " + doing) {}
};

}  // namespace rv::workers
