// Names and paths of the files that declare a project's dependencies.
#pragma once

#include <string>
#include <string_view>

namespace rv::project {

/// "requirements.txt", "requirements-gpu.txt".
bool is_requirements(std::string_view name);

/// "environment.yml", "environment-dev.yaml".
bool is_conda(std::string_view name);

/// Files that a package may read to compute its dependencies: pyproject.toml, setup.py, requirements.in, VERSION.
bool is_metadata(const std::string& name);

std::string base_name(const std::string& path);

/// `name` in `folder`, without "." and "..".
std::string in(const std::string& folder, const std::string& name);

}  // namespace rv::project
