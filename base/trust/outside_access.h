// Whether a user other than this one and root can change a file or folder.
#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>

namespace rv::trust {

/// The reason, in the form "it belongs to mallory (user 1005)", "its group lab can write to it" or "everyone can write
/// to it"; empty if only this user and root can change it. A group that has this user's name and no other member does
/// not count. With a POSIX ACL the group's bits are the ACL's mask (acl(5)), so an ACL that lets others write is seen.
std::string outside_access(const struct stat& status);

/// `group`: the group's line in the form of /etc/group. True if it is `user`'s private group.
bool is_private_group(std::string_view group, std::string_view user);

/// The reason why somebody else could replace what lies at the absolute `path`: one of its parent folders can be
/// written by others and is not sticky. It names that folder. Missing parents are passed over. Empty if none is.
std::string replaceable_because(const std::string& path);

/// RV_TRUSTED_FOLDERS names `path` or a folder above it: absolute paths with ":" between them. What lies there is not
/// checked for its owner and its mode.
bool is_trusted_folder(const std::string& path);

/// "mallory (user 1005)", or "user 1005" if its name is not in /etc/passwd.
std::string shown_user(uid_t user);

}  // namespace rv::trust
