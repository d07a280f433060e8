// The packages of a uv.lock that are folders of the project.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::project {

struct LockedPackage {
  std::string name;     // normalised
  std::string folder;   // from the lock's folder; "." is that itself
  bool member = false;  // of the workspace (uv calls it editable or virtual): not a copy of its code is installed
  std::vector<std::string> needs;  // names, of packages from an index too
};

/// Reads uv's own lines, not all of TOML: the lock of a large project has megabytes.
std::vector<LockedPackage> local_packages(std::string_view lock);

/// The one whose folder this is; nothing where the lock has none.
std::optional<LockedPackage> package_in(const std::vector<LockedPackage>& packages, const std::string& folder);

/// That package and the local ones that it needs, directly or through each other.
std::vector<LockedPackage> needed_by(const std::vector<LockedPackage>& packages, const std::string& name);

}  // namespace rv::project
