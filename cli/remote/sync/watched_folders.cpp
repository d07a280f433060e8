#include "cli/remote/sync/watched_folders.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <thread>

namespace rv::sync {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t changes = IN_CREATE | IN_DELETE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO |
                                  IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

/// Nobody can say yet whether git will ignore what comes into it.
bool holds_no_file(const std::string& folder) {
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(folder, fault)) {
    std::error_code unknown;
    if (!entry.is_directory(unknown) || entry.is_symlink(unknown)) return false;
  }
  return !fault;
}

}  // namespace

WatchedFolders::WatchedFolders() : queue_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {}

bool WatchedFolders::add(const std::string& folder) {
  const int number = ::inotify_add_watch(queue_.number(), folder.c_str(), changes);
  if (number < 0) return errno == ENOENT || errno == ENOTDIR;
  numbers_[folder] = number;
  folders_[number] = folder;
  return true;
}

void WatchedFolders::add_tree(const std::string& folder) {
  add(folder);
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(folder, fault)) {
    std::error_code unknown;
    if (entry.is_directory(unknown) && !entry.is_symlink(unknown) && entry.path().filename() != ".git") {
      add_tree(entry.path());
    }
  }
}

bool WatchedFolders::watch(const std::set<std::string>& folders) {
  if (queue_.number() < 0) return false;
  for (auto at = numbers_.begin(); at != numbers_.end();) {
    if (folders.count(at->first) > 0 || holds_no_file(at->first)) {
      ++at;
      continue;
    }
    ::inotify_rm_watch(queue_.number(), at->second);
    folders_.erase(at->second);
    at = numbers_.erase(at);
  }
  bool all = true;
  // Again for those that are known: a folder may have been replaced by another of its name.
  for (const auto& folder : folders) all = add(folder) && all;
  return all;
}

bool WatchedFolders::wait(std::chrono::milliseconds longest) {
  if (queue_.number() < 0) {
    std::this_thread::sleep_for(longest);
    return false;
  }
  pollfd polled{queue_.number(), POLLIN, 0};
  if (::poll(&polled, 1, static_cast<int>(longest.count())) <= 0) return false;
  alignas(inotify_event) std::array<char, 16384> buffer;
  bool changed = false;
  while (true) {
    const ssize_t count = ::read(queue_.number(), buffer.data(), buffer.size());
    if (count <= 0) return changed;
    changed = true;
    for (ssize_t at = 0; at < count;) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      const auto folder = folders_.find(event->wd);
      const bool appeared = (event->mask & IN_ISDIR) != 0 && (event->mask & (IN_CREATE | IN_MOVED_TO)) != 0;
      if (appeared && folder != folders_.end() && std::string_view(event->name) != ".git") {
        add_tree(folder->second + "/" + event->name);
      }
    }
  }
}

}  // namespace rv::sync
