// How long another machine's writes may stay unseen.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace rv::os {

/// The longest time after which what another machine has written below `path` is certain to be seen in a listing. From
/// the kind and the options of the file system it lies on: seconds on one machine's own, longer than the attribute
/// cache may last on network file systems and on what is not known.
std::chrono::seconds visibility_lag(const std::string& path);

/// From now on the answer of visibility_lag(path), whatever the file system: the setting of this name.
void set_visibility_lag(std::optional<std::chrono::seconds> lag);

/// The same, from the text of /proc/self/mountinfo.
std::chrono::seconds visibility_lag(const std::string& real_path, std::string_view mountinfo);

}  // namespace rv::os
