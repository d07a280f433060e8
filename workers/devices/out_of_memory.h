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

/// The parameter `cause` of a measurement that failed by that: rv reads it (accept/advice.cpp).
inline constexpr const char* out_of_memory = "out_of_memory";

}  // namespace rv::workers
