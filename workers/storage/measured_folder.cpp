#include "workers/storage/measured_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "workers/storage/small_files.h"

namespace rv::workers {
namespace {

constexpr std::array<std::string_view, 10> own_types = {"ext2", "ext3",  "ext4",    "xfs",   "btrfs",
                                                        "f2fs", "tmpfs", "overlay", "ramfs", "zfs"};

bool lies_below(const std::string& path, const std::string& mount) {
  return mount == "/" || path == mount || path.starts_with(mount + "/");
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

std::string type_at(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  std::ifstream file("/proc/self/mountinfo");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return file_system_type(real ? std::string(real.get()) : path, text);
}

[[noreturn]] void refuse(const MeasuredFolder& folder, const std::string& why, const std::string& way_out) {
  throw std::runtime_error(fmt::format("the {} folder {} {}; {}", folder.label, folder.path, why, way_out));
}

/// The smallest --io-size that rv takes.
constexpr std::uint64_t least_large_file = std::uint64_t{4} << 20;

}  // namespace

MeasuredFolder measured_folder_from(std::string_view text) {
  const auto equals = text.find('=');
  const auto label = text.substr(0, equals);
  const bool plain_label =
      !label.empty() && std::all_of(label.begin(), label.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
  if (equals == std::string_view::npos || !plain_label || text.size() <= equals + 1 || text[equals + 1] != '/') {
    throw std::invalid_argument(
        fmt::format("\"{}\" is no folder to measure; write NAME=/FOLDER, as in scratch=/scratch/ann", text));
  }
  return {std::string(label), std::string(text.substr(equals + 1))};
}

bool FolderFacts::of_this_machine() const {
  return std::find(own_types.begin(), own_types.end(), type) != own_types.end();
}

bool FolderFacts::in_memory() const {
  return type == "tmpfs" || type == "ramfs";
}

FolderFacts look_at(const MeasuredFolder& folder) {
  struct stat status {};
  if (stat(folder.path.c_str(), &status) != 0) {
    refuse(folder, errno == ENOENT ? "is not there" : fmt::format("can't be looked at ({})", strerror(errno)),
           "make it, or name another one");
  }
  if (!S_ISDIR(status.st_mode)) refuse(folder, "is no folder", "name the folder that is meant");
  struct statvfs room {};
  if (statvfs(folder.path.c_str(), &room) != 0) {
    refuse(folder, fmt::format("has a file system that does not answer ({})", strerror(errno)), "look at its mount");
  }
  if ((room.f_flag & ST_RDONLY) != 0) refuse(folder, "is on a file system that is read-only", "look at its mount");
  if (access(folder.path.c_str(), W_OK | X_OK) != 0) {
    refuse(folder, fmt::format("may not be written to ({})", strerror(errno)), "name one of your own");
  }
  FolderFacts facts;
  facts.type = type_at(folder.path);
  facts.device = status.st_dev;
  facts.free_bytes = std::uint64_t{room.f_bavail} * room.f_frsize;
  // Some file systems make inodes as they are needed, and count none.
  if (room.f_files != 0) facts.inodes = room.f_favail;
  return facts;
}

std::string lack_of_room(const MeasuredFolder& folder, const FolderFacts& facts, std::uint64_t bytes,
                         std::uint64_t files, std::uint64_t nodes) {
  const auto of_nodes = nodes > 1 ? fmt::format(" on {} nodes", nodes) : std::string();
  const auto room = facts.free_bytes / 10 * 9 / std::max<std::uint64_t>(nodes, 1);
  if (bytes > room) {
    const auto least = least_large_file + files * small_file_bytes;
    return fmt::format("the {} folder {} has {} free, and {} each{} would not leave a tenth of it; {}", folder.label,
                       folder.path, bytes_text(facts.free_bytes), bytes_text(bytes), of_nodes,
                       room >= least ? "free some space there, or ask for less with --io-size"
                                     : "free some space there, or name another folder");
  }
  if (facts.inodes && files > *facts.inodes / 10 * 9 / std::max<std::uint64_t>(nodes, 1)) {
    return fmt::format(
        "the {} folder {} has room for {} more files, and {} each{} would not leave a tenth of it; remove "
        "files, or name another folder",
        folder.label, folder.path, *facts.inodes, files, of_nodes);
  }
  return "";
}

std::string file_system_type(const std::string& real_path, std::string_view mountinfo) {
  std::istringstream lines{std::string(mountinfo)};
  std::string best_mount, type;
  for (std::string line; std::getline(lines, line);) {
    // 36 35 98:0 /root /mount rw,noatime master:1 - ext3 /dev/root rw,errors=continue
    std::istringstream words(line);
    std::string id, parent, device, root, mount, word, kind;
    words >> id >> parent >> device >> root >> mount;
    while (words >> word && word != "-") continue;
    if (!(words >> kind)) continue;
    mount = plain(mount);
    if (!lies_below(real_path, mount) || mount.size() < best_mount.size()) continue;
    best_mount = mount;
    type = kind;
  }
  return type;
}

std::optional<std::uint64_t> bytes_from(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || number == 0) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (unit.size() != 1) return std::nullopt;
  const auto place = std::string_view("KMGT").find(unit[0]);
  if (place == std::string_view::npos) return std::nullopt;
  const auto shift = 10 * (place + 1);
  if (number > (std::uint64_t{1} << 60) >> shift) return std::nullopt;
  return number << shift;
}

std::string bytes_text(std::uint64_t bytes) {
  for (const auto& [shift, unit] : {std::pair{40U, 'T'}, {30U, 'G'}, {20U, 'M'}, {10U, 'K'}}) {
    const auto one = std::uint64_t{1} << shift;
    if (bytes < one) continue;
    const auto amount = static_cast<double>(bytes) / static_cast<double>(one);
    return bytes % one == 0 ? fmt::format("{}{}", bytes >> shift, unit) : fmt::format("{:.1f}{}", amount, unit);
  }
  return fmt::format("{} bytes", bytes);
}

}  // namespace rv::workers
