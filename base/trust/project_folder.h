// Whose files are a project's: those of another user say nothing about what this user runs (as CVE-2022-24765 of git).
#pragma once

#include <sys/stat.h>

#include <string>

namespace rv::trust {

/// The reason why a marker in a project's folder (".git", ".rvignore", ".venv") is not used, in the form of
/// base/trust/outside_access.h: against the folder, or against the marker or the link that it is. Empty if there is no
/// such marker, if only this user and root can change them, and below RV_TRUSTED_FOLDERS.
std::string marker_distrust(const std::string& folder, const std::string& marker);

/// What to do about it, for an Error's advice or a note.
std::string project_way_out(const std::string& folder);

/// Throws Error(usage) if another user owns the open file with this status or the link at `path`, or can write to it.
void check_project_file(const std::string& path, const struct stat& status);

}  // namespace rv::trust
