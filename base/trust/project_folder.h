// Rejects project files of other users, as git does since CVE-2022-24765.
#pragma once

#include <sys/stat.h>

#include <string>

namespace rv::trust {

/// Returns the reason why a marker in a project's folder (".git", ".rvignore", ".venv") is not used, in the form of
/// base/trust/outside_access.h. It is about the folder, the marker, or the link if the marker is one. Empty if there is
/// no such marker, if only this user and root can change them, and below RV_TRUSTED_FOLDERS.
std::string marker_distrust(const std::string& folder, const std::string& marker);

/// Returns the advice for an Error or a note about it.
std::string project_way_out(const std::string& folder);

/// Throws Error(usage) if another user owns the open file with this status or the link at `path`, or can write to it.
void check_project_file(const std::string& path, const struct stat& status);

}  // namespace rv::trust
