#include "shared/system/mounts.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <utility>

namespace rv::os {
namespace {

constexpr std::array<std::string_view, 10> local_types = {"ext2", "ext3",  "ext4",    "xfs",   "btrfs",
                                                          "f2fs", "tmpfs", "overlay", "ramfs", "zfs"};

// The kernel writes blanks and the like as octal numbers.
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

bool lies_below(const std::string& path, const std::string& mount) {
  return mount == "/" || path == mount || path.starts_with(mount + "/");
}

}  // namespace

std::vector<Mount> parse_mounts(std::string_view mountinfo) {
  std::vector<Mount> mounts;
  std::istringstream lines{std::string(mountinfo)};
  for (std::string line; std::getline(lines, line);) {
    // 36 35 98:0 /root /mount rw,noatime master:1 - ext3 /dev/root rw,errors=continue
    std::istringstream words(line);
    std::string id, parent, device, word, source;
    Mount mount;
    words >> id >> parent >> device >> mount.root >> mount.point;
    while (words >> word && word != "-") continue;
    if (!(words >> mount.type >> source)) continue;
    words >> mount.options;
    mount.root = plain(mount.root);
    mount.point = plain(mount.point);
    mounts.push_back(std::move(mount));
  }
  return mounts;
}

Mount mount_of(const std::string& real_path, std::string_view mountinfo) {
  Mount best;
  for (auto& mount : parse_mounts(mountinfo)) {
    if (lies_below(real_path, mount.point) && mount.point.size() >= best.point.size()) best = std::move(mount);
  }
  return best;
}

Mount mount_at(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  std::ifstream file("/proc/self/mountinfo");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return mount_of(real ? std::string(real.get()) : path, text);
}

bool is_local_type(std::string_view type) {
  return std::find(local_types.begin(), local_types.end(), type) != local_types.end();
}

}  // namespace rv::os
