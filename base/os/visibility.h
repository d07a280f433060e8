// How long another machine's writes may stay invisible.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace rv::os {

/// Returns the time after which a listing is certain to show what another machine has written below `path`. It depends
/// on the type and the options of the file system: seconds for a local one; longer than the attribute cache lasts for
/// network file systems and unknown types.
std::chrono::seconds visibility_lag(const std::string& path);

/// Overrides visibility_lag() for all paths (the setting visibility_lag). Nothing: use the file system's again.
void set_visibility_lag(std::optional<std::chrono::seconds> lag);

/// Like visibility_lag(path), from the text of /proc/self/mountinfo.
std::chrono::seconds visibility_lag(const std::string& real_path, std::string_view mountinfo);

}  // namespace rv::os
