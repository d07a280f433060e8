// Checks the folders that rv keeps its own files in: no other user may be able to change them.
#pragma once

#include <string>

namespace rv::trust {

/// Throws Error if another user owns the folder, can write to it, or can replace it (base/trust/outside_access.h). The
/// Error has the folder, the reason and the advice `way_out`, which says how to use another folder. For a folder that
/// does not exist yet, the folders above it are checked. A link is followed if it belongs to this user or root. Folders
/// below RV_TRUSTED_FOLDERS are accepted.
void check_private_folder(const std::string& path, const std::string& way_out);

/// Creates a folder with mode 0700 for sockets and logs, in a folder such as /tmp. Throws Error if it is a link,
/// belongs to another user (root included), or is accessible to other users.
void make_closed_folder(const std::string& path);

}  // namespace rv::trust
