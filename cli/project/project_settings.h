// The settings of a project: .rv.yaml in its folder.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::project {

inline constexpr const char* settings_file = ".rv.yaml";

/// The key `environment`.
struct EnvironmentChoice {
  bool none = false;                // the project needs nothing
  std::vector<std::string> from;    // files that declare dependencies, or one folder with an environment; empty: search
  std::vector<std::string> extras;  // optional dependencies of the project
  std::vector<std::string> groups;  // dependency groups of pyproject.toml (PEP 735)
  std::string python;               // the interpreter to build with; empty: python3
  std::vector<std::string> setup;   // shell lines before the build and before the command, behind the site's own
  std::optional<bool> on_node;      // build in a job; nothing: as in the site's settings
  std::chrono::seconds build_time{3600};  // the time limit of that job
};

/// Throws Error(usage) naming file, line and key.
EnvironmentChoice parse_project_settings(std::string_view text, const std::string& file);

}  // namespace rv::project
