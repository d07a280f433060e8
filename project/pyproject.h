// What pyproject.toml says, as far as it takes to know whether there is something to install.
#pragma once

#include <string_view>

namespace rv::project {

struct Pyproject {
  bool dependencies = false;  // [project] names some, or a build backend does (dynamic)
  bool package = false;       // it can be installed itself: there is a [build-system]
};

/// Reads lines, not all of TOML: tables, and the keys of [project] at a line's beginning.
Pyproject scan_pyproject(std::string_view text);

}  // namespace rv::project
