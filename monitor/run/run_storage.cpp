#include "monitor/run/run_storage.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/listing.h"
#include "monitor/run/run_facts.h"
#include "monitor/run/submit_lock.h"

namespace rv::monitor {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view aside = ".removed.";  // list_runs passes hidden names over

std::string below(std::string folder, const std::string& name) {
  folder += '/';
  folder += name;
  return folder;
}

// Of this user, of this kind, and not reached through a link.
std::optional<struct stat> own(const std::string& path, mode_t kind) {
  struct stat status = {};
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  if ((status.st_mode & S_IFMT) != kind || status.st_uid != ::geteuid()) return std::nullopt;
  return status;
}

bool untouched_for(const struct stat& status, std::chrono::seconds span) {
  return std::time(nullptr) - status.st_mtime > span.count();
}

// What is not an entry of a ledger yet has a name that begins with a dot.
bool is_unlinked_entry(std::string_view name) {
  return name.starts_with('.');
}

bool is_run_id(std::string_view name) {
  return name.size() == 6 && name.find_first_not_of("abcdefghjkmnpqrstuvwxyz23456789") == std::string_view::npos;
}

// rv was killed while it made the folder: nothing was submitted, because run.json comes before the first intent.
bool is_unpublished(const std::string& path) {
  constexpr std::array<std::string_view, 10> made = {"candidates",  "jobs",        "ledger", "elements",
                                                     "chain",       "logs",        "output", "checkpoint",
                                                     "environment", "request.json"};
  for (const auto& name : os::names_in(path)) {
    if (os::is_unfinished_file(name)) continue;
    if (std::find(made.begin(), made.end(), name) == made.end()) return false;
  }
  for (const auto* sub : {"/jobs", "/ledger", "/elements", "/logs", "/output", "/checkpoint"}) {
    if (!os::names_in(path + sub).empty()) return false;
  }
  return true;
}

void add_temporaries(const std::string& folder, bool (*is_one)(std::string_view), std::chrono::seconds untouched,
                     std::vector<std::string>& found) {
  for (const auto& name : os::names_in(folder)) {
    const std::string path = below(folder, name);
    if (!is_one(name)) continue;
    if (const auto file = own(path, S_IFREG); file && untouched_for(*file, untouched)) found.push_back(path);
  }
}

}  // namespace

std::int64_t bytes_below(const std::string& folder) {
  constexpr std::int64_t block = 512;  // of st_blocks, whatever the file system's own is
  std::int64_t bytes = 0;
  struct stat status = {};
  for (const auto& name : os::names_in(folder)) {
    const std::string path = below(folder, name);
    if (::lstat(path.c_str(), &status) != 0) continue;
    // Of a file with several names, such as the rv of rv map, each has a share.
    const std::int64_t names = S_ISREG(status.st_mode) ? static_cast<std::int64_t>(status.st_nlink) : 1;
    bytes += status.st_blocks * block / std::max<std::int64_t>(1, names);
    if (S_ISDIR(status.st_mode)) bytes += bytes_below(path);
  }
  return bytes;
}

bool is_run_folder(const std::string& runs, const std::string& id) {
  if (!is_run_id(id) || !own(runs + "/" + id, S_IFDIR)) return false;
  try {
    return RunFolder(runs + "/" + id).record().id == id;
  } catch (const Error&) {
    return false;  // damaged, or a later rv's: not ours to judge
  }
}

bool remove_run(const std::string& runs, const std::string& id, const std::function<bool()>& is_needed) {
  if (!is_run_folder(runs, id)) return false;
  const RunFolder folder(runs + "/" + id);
  const auto lock = SubmitLock::try_take(folder);
  if (!lock) return false;
  const RunFolder moved(runs + "/" + std::string(aside) + id + "." + std::to_string(::getpid()));
  if (::rename(folder.path().c_str(), moved.path().c_str()) != 0) {
    if (errno == ENOENT) return false;  // another rv gc was quicker
    throw Error("can't move " + folder.path() + " aside: " + std::strerror(errno), "check the folder's permissions");
  }
  // Nobody finds it any more: what it says now is final.
  const auto facts = read_facts(moved);
  if (!facts.outcome || !is_final(facts.outcome->state) || (is_needed && is_needed())) {
    ::rename(moved.path().c_str(), folder.path().c_str());
    return false;
  }
  remove_leftovers({moved.path()});
  return true;
}

std::vector<std::string> leftovers(const std::string& home, std::chrono::seconds untouched,
                                   const std::set<std::string>& skip) {
  std::vector<std::string> found;
  add_temporaries(home, os::is_unfinished_file, untouched, found);
  const std::string runs = home + "/runs";
  for (const auto& name : os::names_in(runs)) {
    if (skip.contains(name)) continue;
    const std::string path = below(runs, name);
    const auto folder = own(path, S_IFDIR);
    if (!folder) continue;
    if (is_run_folder(runs, name)) {
      add_temporaries(path, os::is_unfinished_file, untouched, found);
      // A job at work keeps the room for the record of its end in one, for as long as it runs.
      if (!read_facts(RunFolder(path)).outcome) continue;
      for (const auto* ledger : {"/ledger", "/elements"}) {
        add_temporaries(path + ledger, is_unlinked_entry, untouched, found);
      }
      continue;
    }
    const bool moved = name.starts_with(aside) && is_run_id(std::string_view(name).substr(aside.size(), 6));
    if (moved || (is_run_id(name) && untouched_for(*folder, untouched) && is_unpublished(path))) found.push_back(path);
  }
  return found;
}

int remove_leftovers(const std::vector<std::string>& paths) {
  int gone = 0;
  for (const auto& path : paths) {
    // Folders may have been left without write permission (read-only data copied to output/).
    std::error_code fault;
    if (own(path, S_IFDIR)) {
      for (auto entry = fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, fault);
           !fault && entry != fs::recursive_directory_iterator(); entry.increment(fault)) {
        std::error_code ignored;
        if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
          fs::permissions(entry->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
        }
      }
    }
    fs::remove_all(path, fault);
    if (::access(path.c_str(), F_OK) != 0) ++gone;
  }
  return gone;
}

}  // namespace rv::monitor
