// Whether a file system has hard links, by which the ledger decides (docs/run-folder.md).
#pragma once

#include <string>

namespace rv::monitor {

/// True for what link(2) answers where a file system has no hard links, not between two folders, or no more of a file.
bool means_no_links(int error);

/// Makes a link in `folder` and removes it. Throws Error, with what RV_HOME can be set to, where that is impossible.
/// Other faults, such as a full disk, are left to who writes there next. `scratch` may be empty.
void require_hard_links(const std::string& folder, const std::string& scratch);

}  // namespace rv::monitor
