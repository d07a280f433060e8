#include "base/os/visibility.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <sstream>

#include "base/os/atomic_file.h"

namespace rv::os {
namespace {

using std::chrono::seconds;

// The batch script's last records and Slurm's word cross each other within this on one machine.
constexpr seconds local{5};
// acdirmax of nfs(5), the longest by default that attributes of a folder are kept, and some room.
constexpr seconds network{75};

constexpr std::array<std::string_view, 9> of_this_machine = {"ext2",  "ext3",    "ext4",  "xfs", "btrfs",
                                                             "tmpfs", "overlay", "ramfs", "zfs"};
// Caches that other machines' writes take back.
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

// mountinfo writes blanks and the like as octal numbers.
std::string plain(const std::string& word) {
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] == '\\' && i + 3 < word.size()) {
      text += static_cast<char>(std::strtol(word.substr(i + 1, 3).c_str(), nullptr, 8));
      i += 3;
    } else {
      text += word[i];
    }
  }
  return text;
}

// What the settings say. They are read once, before anything asks.
std::optional<seconds>& said() {
  static std::optional<seconds> lag;
  return lag;
}

bool lies_below(const std::string& path, const std::string& mount) {
  return mount == "/" || path == mount || path.starts_with(mount + "/");
}

}  // namespace

seconds visibility_lag(const std::string& real_path, std::string_view mountinfo) {
  std::istringstream lines{std::string(mountinfo)};
  std::string best_mount, type, options;
  for (std::string line; std::getline(lines, line);) {
    // 36 35 98:0 /root /mount rw,noatime master:1 - ext3 /dev/root rw,errors=continue
    std::istringstream words(line);
    std::string id, parent, device, root, mount, word, kind, source, super;
    words >> id >> parent >> device >> root >> mount;
    while (words >> word && word != "-") continue;
    if (!(words >> kind >> source)) continue;
    words >> super;
    mount = plain(mount);
    if (!lies_below(real_path, mount) || mount.size() < best_mount.size()) continue;
    best_mount = mount;
    type = kind;
    options = super;
  }
  if (is_one_of(type, of_this_machine)) return local;
  if (is_one_of(type, coherent)) return after_lock;
  const auto longest =
      std::max(option(options, "acdirmax").value_or(seconds(0)), option(options, "actimeo").value_or(seconds(0)));
  return std::max(network, longest + after_lock);
}

void set_visibility_lag(std::optional<seconds> lag) {
  said() = lag;
}

seconds visibility_lag(const std::string& path) {
  if (said()) return *said();
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  return visibility_lag(real ? std::string(real.get()) : path, read_file("/proc/self/mountinfo").value_or(""));
}

}  // namespace rv::os
