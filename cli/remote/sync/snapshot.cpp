#include "cli/remote/sync/snapshot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/random_bytes.h"
#include "cli/remote/sync/file_state.h"
#include "cli/remote/sync/project_files.h"
#include "cli/remote/sync/pull_folder.h"
#include "monitor/run/hard_links.h"
#include "shared/time_text.h"

namespace rv::sync {

namespace {

namespace fs = std::filesystem;

std::string in(const std::string& folder, const std::string& path) {
  return (fs::path(folder) / path).string();
}

constexpr long long most_copied = 1LL << 30;
constexpr int most_tries = 3;

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

/// A link out of the project leads to the same place from the snapshot.
void copy_link(const std::string& root, const std::string& path, const std::string& to) {
  std::error_code fault;
  auto target = fs::read_symlink(in(root, path), fault);
  const auto inside = (fs::path(path).parent_path() / target).lexically_normal();
  if (target.is_relative() && *inside.begin() == "..") target = (fs::path(root) / inside).lexically_normal();
  if (!fault) fs::create_symlink(target, to, fault);
  if (fault) fail(to, fault.message());
}

/// Copies a file that may be written to at the same time. A file that is gone is left out.
void copy_whole(const std::string& root, const std::string& path, const std::string& to) {
  const std::string from = in(root, path);
  for (int tries = 0; tries < most_tries; ++tries) {
    struct stat status {};
    if (::lstat(from.c_str(), &status) != 0) return;
    if (S_ISLNK(status.st_mode)) return copy_link(root, path, to);
    copy_file(from, to, status);
    if (state_of(from) == state_of(status)) return;
    ::unlink(to.c_str());
  }
  fail(from, "the file changes while it is copied");
}

/// The files and folders of `root` that are not in the snapshot become links in it. `below`: "" or "a/b/".
void link_the_rest(const std::string& root, const std::string& snapshot, const std::string& below,
                   const FileStates& states) {
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(in(root, below), fault)) {
    const std::string name = entry.path().filename();
    const std::string path = below + name;
    if (name == ".git" || name == "__pycache__" || name == pull_folder || states.contains(path)) continue;
    const auto first = states.lower_bound(path + "/");
    if (first != states.end() && first->first.starts_with(path + "/")) {
      link_the_rest(root, snapshot, path + "/", states);
      continue;
    }
    std::error_code trouble;
    fs::create_symlink(entry.path(), in(snapshot, path), trouble);
    if (trouble && trouble != std::errc::file_exists) fail(in(snapshot, path), trouble.message());
  }
  if (fault) fail(in(root, below), fault.message());
}

void copy_tree(const std::string& root, const std::string& snapshot) {
  const auto states = project_files(root);
  long long total = 0;
  for (const auto& [path, state] : states) total += state.size;
  if (total > most_copied) {
    throw Error(fmt::format("--snapshot: the project {} has {} MiB of files, and at most {} MiB are copied", root,
                            total >> 20, most_copied >> 20),
                "name its data and results in .gitignore or .rvignore: the snapshot links to them", ExitCode::usage);
  }
  os::make_folder(snapshot);
  for (const auto& [path, state] : states) {
    const std::string to = in(snapshot, path);
    std::error_code fault;
    fs::create_directories(fs::path(to).parent_path(), fault);
    if (fault) fail(to, fault.message());
    copy_whole(root, path, to);
  }
  link_the_rest(root, snapshot, "", states);
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

namespace {

/// Makes the folder with `fill`, and the list of its files beside it.
std::string fill_snapshot(const ProjectStore& store, const std::function<void(const std::string&)>& fill) {
  os::make_folder(store.snapshots());
  std::string folder = fmt::format("{}/{}-{}", store.snapshots(), utc_stamp(current_time()), os::random_hex(3));
  try {
    fill(folder);
    os::write_file(folder + ".list", format(states_below(folder)));
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    throw;
  }
  return folder;
}

}  // namespace

std::string make_snapshot(const ProjectStore& store) {
  if (::access(store.files().c_str(), F_OK) != 0) {
    throw Error(fmt::format("{} does not exist any more", store.files()), "push the files again with rv sync push");
  }
  const auto lock = lock_project(store, os::LockMode::shared);
  return fill_snapshot(store, [&](const std::string& folder) { link_tree(store.files(), folder); });
}

std::string copy_to_snapshot(const ProjectStore& store, const std::string& root) {
  return fill_snapshot(store, [&](const std::string& folder) { copy_tree(root, folder); });
}

std::vector<std::string> files_beside(const std::string& snapshot) {
  return {snapshot + ".list", snapshot + ".code.json", snapshot + ".code.diff"};
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
