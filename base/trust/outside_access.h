// Checks whether users other than this one and root can change a file or folder.
#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>

namespace rv::trust {

/// Returns "it belongs to mallory (user 1005)", "its group lab can write to it" or "everyone can write to it"; empty if
/// only this user and root can change it. A group that has this user's name and no other member does not count. With a
/// POSIX ACL the group bits are the ACL's mask (acl(5)), so an ACL that lets others write is detected.
std::string outside_access(const struct stat& status);

/// Whether `group`, a line in the form of /etc/group, is the private group of `user`.
bool is_private_group(std::string_view group, std::string_view user);

/// Returns the reason why another user could replace the file at the absolute `path`: the name of a parent folder that
/// others can write to and that is not sticky. Missing parents are skipped. Empty if there is no such folder.
std::string replaceable_because(const std::string& path);

/// Whether RV_TRUSTED_FOLDERS (absolute paths, separated by ":") has `path` or a folder above it. Owners and modes are
/// not checked there.
bool is_trusted_folder(const std::string& path);

/// Returns "mallory (user 1005)", or "user 1005" if its name is not in /etc/passwd.
std::string shown_user(uid_t user);

}  // namespace rv::trust
