#include "base/os/visibility.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "shared/system/mounts.h"

namespace rv::os {
namespace {

using std::chrono::seconds;

// On one machine, the batch script's last records are visible within this time of Slurm's report of the job's end.
constexpr seconds local{5};
// acdirmax of nfs(5), the longest default time that attributes of a folder are cached, and a margin.
constexpr seconds network{75};

// File systems whose caches are invalidated by other machines' writes.
constexpr std::array<std::string_view, 3> coherent = {"lustre", "gpfs", "wekafs"};
constexpr seconds after_lock{15};

template <typename Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// "acdirmax=120" of "rw,acdirmax=120,…"
std::optional<seconds> option(std::string_view options, std::string_view name) {
  while (!options.empty()) {
    const auto end = options.find(',');
    const auto word = options.substr(0, end);
    options.remove_prefix(end == std::string_view::npos ? options.size() : end + 1);
    if (!word.starts_with(name) || word.size() <= name.size() || word[name.size()] != '=') continue;
    long number = 0;
    const auto text = word.substr(name.size() + 1);
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc()) return seconds(number);
  }
  return std::nullopt;
}

// The setting visibility_lag. Settings are read once, before the first query.
std::optional<seconds>& configured_lag() {
  static std::optional<seconds> lag;
  return lag;
}

seconds lag_of(const Mount& mount) {
  if (is_local_type(mount.type)) return local;
  if (is_one_of(mount.type, coherent)) return after_lock;
  const auto longest = std::max(option(mount.options, "acdirmax").value_or(seconds(0)),
                                option(mount.options, "actimeo").value_or(seconds(0)));
  return std::max(network, longest + after_lock);
}

}  // namespace

seconds visibility_lag(const std::string& real_path, std::string_view mountinfo) {
  return lag_of(mount_of(real_path, mountinfo));
}

void set_visibility_lag(std::optional<seconds> lag) {
  configured_lag() = lag;
}

seconds visibility_lag(const std::string& path) {
  if (configured_lag()) return *configured_lag();
  return lag_of(mount_at(path));
}

}  // namespace rv::os
