#include "workers/storage/measured_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <stdexcept>

#include "shared/system/mounts.h"
#include "workers/storage/small_files.h"

namespace rv::workers {
namespace {

[[noreturn]] void refuse(const MeasuredFolder& folder, const std::string& why, const std::string& way_out) {
  throw std::runtime_error(fmt::format("the {} folder {} {}; {}", folder.label, folder.path, why, way_out));
}

/// The minimum of --io-size.
constexpr std::uint64_t least_large_file = std::uint64_t{4} << 20;

}  // namespace

MeasuredFolder measured_folder_from(std::string_view text) {
  const auto equals = text.find('=');
  const auto label = text.substr(0, equals);
  const bool plain_label =
      !label.empty() && std::all_of(label.begin(), label.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
  if (equals == std::string_view::npos || !plain_label || text.size() <= equals + 1 || text[equals + 1] != '/') {
    throw std::invalid_argument(
        fmt::format("\"{}\" is not a folder to measure; write NAME=/FOLDER, for example scratch=/scratch/ann", text));
  }
  return {std::string(label), std::string(text.substr(equals + 1))};
}

bool FolderFacts::of_this_machine() const {
  return os::is_local_type(type);
}

bool FolderFacts::in_memory() const {
  return type == "tmpfs" || type == "ramfs";
}

FolderFacts folder_facts(const MeasuredFolder& folder) {
  struct stat status {};
  if (stat(folder.path.c_str(), &status) != 0) {
    refuse(folder, errno == ENOENT ? "does not exist" : fmt::format("can't be read ({})", strerror(errno)),
           "create it, or choose another folder");
  }
  if (!S_ISDIR(status.st_mode)) refuse(folder, "is not a folder", "give a folder");
  struct statvfs room {};
  if (statvfs(folder.path.c_str(), &room) != 0) {
    refuse(folder, fmt::format("is on a file system that does not respond ({})", strerror(errno)), "check its mount");
  }
  if ((room.f_flag & ST_RDONLY) != 0) refuse(folder, "is on a file system that is read-only", "check its mount");
  if (access(folder.path.c_str(), W_OK | X_OK) != 0) {
    refuse(folder, fmt::format("is not writable ({})", strerror(errno)), "choose a folder that you can write to");
  }
  FolderFacts facts;
  facts.type = os::mount_at(folder.path).type;
  facts.device = status.st_dev;
  facts.free_bytes = std::uint64_t{room.f_bavail} * room.f_frsize;
  // Some file systems create inodes on demand, and report none.
  if (room.f_files != 0) facts.inodes = room.f_favail;
  return facts;
}

std::string lack_of_room(const MeasuredFolder& folder, const FolderFacts& facts, std::uint64_t bytes,
                         std::uint64_t files, std::uint64_t nodes) {
  const auto of_nodes = nodes > 1 ? fmt::format(" on {} nodes", nodes) : std::string();
  const auto room = facts.free_bytes / 10 * 9 / std::max<std::uint64_t>(nodes, 1);
  if (bytes > room) {
    const auto least = least_large_file + files * small_file_bytes;
    return fmt::format("the {} folder {} has {} free, and {} each{} would leave less than a tenth of it; {}",
                       folder.label, folder.path, bytes_text(facts.free_bytes), bytes_text(bytes), of_nodes,
                       room >= least ? "free some space there, or use a smaller --io-size"
                                     : "free some space there, or choose another folder");
  }
  if (facts.inodes && files > *facts.inodes / 10 * 9 / std::max<std::uint64_t>(nodes, 1)) {
    return fmt::format(
        "the {} folder {} has room for {} more files, and {} each{} would not leave a tenth of it; remove "
        "files, or name another folder",
        folder.label, folder.path, *facts.inodes, files, of_nodes);
  }
  return "";
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
