#include "cli/remote/sync/snapshot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/random_bytes.h"
#include "cli/remote/sync/file_state.h"
#include "monitor/run/hard_links.h"
#include "shared/time_text.h"

namespace rv::sync {

namespace {

namespace fs = std::filesystem;

std::string in(const std::string& folder, const std::string& path) {
  return (fs::path(folder) / path).string();
}

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw Error(fmt::format("can't create a snapshot for the run: {}: {}", path, reason),
              "check the disk and your file quota; rv gc frees space, and rv run --no-sync copies nothing");
}

void copy_file(const std::string& from, const std::string& to, const struct stat& status) {
  std::error_code fault;
  fs::copy_file(from, to, fault);
  const timespec times[2] = {status.st_atim, status.st_mtim};
  if (fault) fail(to, fault.message());
  if (::utimensat(AT_FDCWD, to.c_str(), times, 0) != 0) fail(to, std::strerror(errno));
}

void link_file(const std::string& from, const std::string& to, const struct stat& status) {
  if (::link(from.c_str(), to.c_str()) == 0) return;
  if (!monitor::means_no_links(errno)) fail(to, std::strerror(errno));
  copy_file(from, to, status);
}

void link_tree(const std::string& from, const std::string& to) {
  if (::mkdir(to.c_str(), 0777) != 0) fail(to, std::strerror(errno));
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(from, fault)) {
    const std::string name = entry.path().filename();
    const std::string source = in(from, name);
    const std::string target = in(to, name);
    if (name == ".rv-partial") continue;
    struct stat status {};
    if (::lstat(source.c_str(), &status) != 0) continue;
    if (S_ISDIR(status.st_mode)) {
      link_tree(source, target);
    } else if (S_ISREG(status.st_mode)) {
      link_file(source, target, status);
    } else if (S_ISLNK(status.st_mode)) {
      std::error_code trouble;
      fs::copy_symlink(source, target, trouble);
      if (trouble) fail(target, trouble.message());
    }
  }
  if (fault) fail(from, fault.message());
}

void add_states(const std::string& root, const std::string& below, FileStates& states) {
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(in(root, below), fault)) {
    const std::string name = entry.path().filename();
    const std::string path = below + name;
    std::error_code unknown;
    if (entry.is_symlink(unknown) || !entry.is_directory(unknown)) {
      if (const auto state = state_of(in(root, path))) states.emplace(path, *state);
    } else if (name != "__pycache__") {
      add_states(root, path + "/", states);
    }
  }
}

FileStates states_below(const std::string& folder) {
  FileStates states;
  add_states(folder, "", states);
  return states;
}

}  // namespace

std::string make_snapshot(const ProjectStore& store) {
  if (::access(store.files().c_str(), F_OK) != 0) {
    throw Error(fmt::format("{} does not exist any more", store.files()), "push the files again with rv sync push");
  }
  const auto lock = lock_project(store, os::Hold::together);
  os::make_folder(store.snapshots());
  std::string folder = fmt::format("{}/{}-{}", store.snapshots(), utc_stamp(current_time()), os::random_hex(3));
  try {
    link_tree(store.files(), folder);
    os::write_file(folder + ".list", format(states_below(folder)));
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    throw;
  }
  return folder;
}

bool holds_own_files(const std::string& snapshot) {
  const auto text = os::read_file(snapshot + ".list");
  const auto made = text ? parse_states(*text) : std::nullopt;
  if (!made) return true;
  for (const auto& [path, state] : states_below(snapshot)) {
    const auto known = made->find(path);
    // Permissions may change with those of the file in the project, because this file is a hard link to it.
    if (known == made->end() || known->second.size != state.size || known->second.mtime_ns != state.mtime_ns) {
      return true;
    }
  }
  return false;
}

}  // namespace rv::sync
