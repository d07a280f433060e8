// Input from another machine that rv does not accept.
#pragma once

#include <stdexcept>

namespace rv {

/// Thrown if a value from outside fails its check. what() completes "HOST sent …"; the caller that knows the host
/// catches it and adds the name.
class RefusedInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace rv
