// The environment that rv was called with.
#pragma once

#include <cstdlib>
#include <string>

namespace rv {

/// Empty where it is not set.
inline std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace rv
