// The part of pyproject.toml that determines what to install, and which files decide that.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rv::project {

struct Pyproject {
  bool readable = true;              // it is TOML
  bool dependencies = false;         // [project] names some, or a build backend does (dynamic, Poetry's)
  bool package = false;              // it can be installed itself: there is a [build-system]
  bool computed = false;             // code decides what is needed, so that the files that it reads are not known
  std::string name;                  // as written; empty: none
  std::vector<std::string> files;    // that its dynamic dependencies are read from, from its folder
  std::vector<std::string> sources;  // folders of local packages that it needs, from its folder (uv's and Poetry's)
  std::vector<std::string> groups;   // PEP 735
  std::vector<std::string> extras;   // optional dependencies
  bool poetry = false;               // Poetry's tables, which no build backend can report
  bool hatch_environments = false;   // with their own dependencies
  bool pixi = false;
};

Pyproject scan_pyproject(std::string_view text);

/// The requirements of these groups, those that they include in their place. Throws Error(usage), naming `file`, for a
/// group that is not there or includes itself.
std::vector<std::string> group_requirements(std::string_view text, const std::vector<std::string>& groups,
                                            const std::string& file);

/// The name of a package as indexes compare it: "My.Package" and "my-package" are both "my-package".
std::string normalised(std::string_view name);

}  // namespace rv::project
