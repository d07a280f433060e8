// Input from another machine that rv does not accept.
#pragma once

#include <stdexcept>

namespace rv {

/// Thrown where a value crosses a border and fails its check. what() completes "HOST sent …": whoever knows the peer
/// catches it and names the peer.
class RefusedInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace rv
