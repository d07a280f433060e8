// The file system that a path is on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::os {

/// A line of /proc/self/mountinfo: proc_pid_mountinfo(5).
struct Mount {
  std::string root;     // what of the file system is mounted
  std::string point;    // where
  std::string type;     // "ext4", "nfs4", "lustre"
  std::string options;  // of the file system: "rw,acdirmax=60"
};

/// Lines that are not complete are left out.
std::vector<Mount> parse_mounts(std::string_view mountinfo);

/// The mount that a path without links is on: the last of the longest. All empty: none is known.
Mount mount_of(const std::string& real_path, std::string_view mountinfo);

/// The same on this machine; links are followed.
Mount mount_at(const std::string& path);

/// Whether only this machine writes there ("ext4", "tmpfs").
bool is_local_type(std::string_view type);

}  // namespace rv::os
