// Environment variables of this process.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace rv {

/// Returns the value of a variable; empty if it is not set.
inline std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// Returns all variables as "NAME=value".
inline std::vector<std::string> all_variables() {
  std::vector<std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) variables.emplace_back(*entry);
  return variables;
}

}  // namespace rv
