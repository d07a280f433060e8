#pragma once

#include <stdexcept>
#include <string>

namespace rv::tests {

/// What `call` throws says; "" where it throws nothing.
template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace rv::tests
