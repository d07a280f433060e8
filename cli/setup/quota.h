// The user's disk quota, as reported by a command on this machine.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace rv::cli {

/// "249M of 100G (105G at most) on nas:/home" for each file system with a quota in the output of `quota -s` or
/// `lfs quota -h`, whose columns are the same. File systems without a quota are left out.
std::vector<std::string> parse_quota(std::string_view text);

/// The site's quota command, as it speaks; without one quota(1), and lfs(1) for those of `folders` that are on Lustre.
/// Empty if the quota is unknown: no such command, no answer in time, no quota. Throws nothing for
/// what the commands do.
std::vector<std::string> quota_figures(const std::string& site_command, const std::vector<std::string>& folders,
                                       std::chrono::seconds within = std::chrono::seconds(10));

/// Those of the figures that are used by 90 %. A site is asked for at most two seconds, and, while none is, once an
/// hour: the age of the file `asked` is the time since.
std::vector<std::string> nearly_full(const std::string& site_command, const std::vector<std::string>& folders,
                                     const std::string& asked);

}  // namespace rv::cli
