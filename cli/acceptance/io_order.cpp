#include "cli/acceptance/io_order.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/visibility.h"

namespace rv::cli {
namespace {

struct Folder {
  std::string name, path;
};

[[noreturn]] void refuse(const Folder& folder, const std::string& why, const std::string& advice) {
  throw Error(fmt::format("--suite io: the folder {} ({}) {}", folder.path, folder.name, why), advice, ExitCode::usage);
}

/// A size that would do instead; empty: none that is less would.
std::string smaller_size(Mebibytes asked, long long room) {
  constexpr long long least = 4, usual = 64;
  long long size = least;
  if (room >= usual && asked.count > usual) {
    size = usual;
  } else {
    while (size * 2 <= room) size *= 2;
  }
  return size <= room && size < asked.count ? fmt::format("--io-size {}M", size) : "";
}

/// rv-io checks again on every node; this check saves a wait in the queue.
void check(const Folder& folder, Mebibytes size, std::uint64_t files, IoPlace place) {
  const auto* const other = "choose another folder: --io-folder DIR";
  struct stat status {};
  if (::stat(folder.path.c_str(), &status) != 0) {
    const int fault = errno;
    if (fault == ENOENT && place == IoPlace::elsewhere) return;
    refuse(folder, fault == ENOENT ? "does not exist" : fmt::format("can't be read: {}", std::strerror(fault)),
           "create it, or choose another folder: --io-folder DIR");
  }
  if (!S_ISDIR(status.st_mode)) refuse(folder, "is not a folder", other);
  struct statvfs room {};
  if (::statvfs(folder.path.c_str(), &room) != 0) {
    refuse(folder, fmt::format("does not answer: {}", std::strerror(errno)), "check its mount");
  }
  if ((room.f_flag & ST_RDONLY) != 0) refuse(folder, "is on a read-only file system", other);
  if (::access(folder.path.c_str(), W_OK | X_OK) != 0) refuse(folder, "may not be written to", other);
  const auto free = Mebibytes{static_cast<std::int64_t>(room.f_bavail * room.f_frsize >> 20)};
  // The small files lie beside the large one; a tenth stays free.
  const auto small = static_cast<std::int64_t>(files >> 8) + 1;
  const auto needed = Mebibytes{size.count + small};
  const auto most = free.count * 9 / 10;
  if (needed.count > most) {
    const auto smaller = smaller_size(size, most - small);
    refuse(folder, fmt::format("has {} free, and {} would be written", format_memory(free), format_memory(needed)),
           smaller.empty() ? "free some space there, or choose another folder: --io-folder DIR"
                           : "free some space there, or reduce the size: " + smaller);
  }
  if (room.f_files != 0 && files > room.f_favail / 10 * 9) {
    refuse(folder, fmt::format("has room for {} more files, and {} would be made", room.f_favail, files),
           "remove files, or name another folder: --io-folder DIR");
  }
}

std::vector<Folder> folders_of(const AcceptOptions& options, const Settings& settings) {
  std::vector<Folder> folders;
  for (const auto& path : options.io_folders) {
    const auto whole = std::filesystem::absolute(path).lexically_normal().string();
    folders.push_back({options.io_folders.size() == 1 ? "folder" : fmt::format("folder{}", folders.size() + 1), whole});
  }
  if (!folders.empty()) return folders;
  os::make_folder(settings.home);
  // Nobody has named this one: the first job that needs it makes it.
  std::error_code fault;
  const bool unnamed = settings.scratch == settings.home + "/scratch";
  if (!unnamed || std::filesystem::exists(settings.scratch, fault)) folders.push_back({"scratch", settings.scratch});
  folders.push_back({"home", settings.home});
  return folders;
}

}  // namespace

accept::IoOrder io_order_of(const AcceptOptions& options, const accept::Order& order, const Settings& settings,
                            IoPlace place) {
  accept::IoOrder io;
  if (!order.has(accept::Suite::io)) {
    if (options.io_folders.empty() && !options.io_size) return io;
    throw Error(fmt::format("{} needs --suite io", options.io_folders.empty() ? "--io-size" : "--io-folder"),
                "add --suite io", ExitCode::usage);
  }
  if (place == IoPlace::far && options.io_folders.empty()) {
    throw Error("--suite io needs --io-folder", "name it: --io-folder DIR", ExitCode::usage);
  }
  const auto size = options.io_size.value_or(Mebibytes{order.full ? 1024 : 256});
  io.size = fmt::format("{}M", size.count);
  for (const auto& folder : folders_of(options, settings)) {
    if (place != IoPlace::far) check(folder, size, order.full ? 5000 : 1000, place);
    io.folders.push_back(folder.name + "=" + folder.path);
  }
  io.patience_s = static_cast<int>(os::visibility_lag(settings.home).count());
  return io;
}

std::vector<std::string> io_paths(const accept::IoOrder& io) {
  std::vector<std::string> paths;
  for (const auto& folder : io.folders) paths.push_back(folder.substr(folder.find('=') + 1));
  return paths;
}

}  // namespace rv::cli
