// The name of an environment, computed from everything that decides its content.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/project/dependencies.h"

namespace rv::project {

/// Properties of a machine that decide what is installed, each as a text that differs if the property does.
struct Machine {
  std::string interpreter;
  std::string platform;
  std::string modules;
  std::string settings;  // files that the tools' variables name: PIP_CONSTRAINT
};

/// 16 hex digits. `stamp`: of a file that is too large to read, or of all files in a folder, by its path from the
/// project's folder.
std::string environment_name(const Dependencies& dependencies, const EnvironmentChoice& choice,
                             const std::vector<std::string>& setup_lines, const Machine& machine, const ReadFile& read,
                             const std::function<std::string(const std::string& path)>& stamp);

}  // namespace rv::project
