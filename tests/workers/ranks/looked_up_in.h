// Variables as a test gives them, in place of the process's own.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace rv::workers::test {

inline std::function<std::optional<std::string>(const char*)> looked_up_in(
    std::map<std::string, std::string> environment) {
  return [environment = std::move(environment)](const char* name) -> std::optional<std::string> {
    const auto found = environment.find(name);
    if (found == environment.end()) return std::nullopt;
    return found->second;
  };
}

}  // namespace rv::workers::test
