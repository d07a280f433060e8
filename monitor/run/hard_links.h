// Checks that a file system has hard links: with them the ledger decides a race (docs/run-folder.md).
#pragma once

#include <string>

namespace rv::monitor {

/// Whether `error` is an errno of link(2) that means: this file system has no hard links, none between two folders, or
/// no more for this file.
bool means_no_links(int error);

/// Makes a link in `folder` and removes it. Throws Error if the file system has no hard links; the advice then names a
/// folder for RV_HOME, in `scratch` if that is not empty. Other faults, such as a full disk, are not errors here: the
/// next write to the folder reports them.
void require_hard_links(const std::string& folder, const std::string& scratch);

}  // namespace rv::monitor
