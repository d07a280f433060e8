#include "cli/remote/sync/prune_snapshots.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "cli/remote/sync/project_store.h"
#include "cli/remote/sync/snapshot.h"
#include "monitor/run/listed_runs.h"
#include "monitor/run/run_storage.h"

namespace rv::sync {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// A run that is being started has its snapshot before it has a record.
constexpr std::chrono::seconds unclaimed_for = 24h;
constexpr std::string_view aside = ".removed.";

monitor::RunList all_runs(const Settings& settings, const std::vector<RemovedRun>& removed) {
  auto list = monitor::list_runs(settings.runs_folder());
  std::erase_if(list.runs, [&](const monitor::ListedRun& run) {
    return std::any_of(removed.begin(), removed.end(), [&](const auto& gone) { return gone.id == run.id(); });
  });
  return list;
}

bool lies_in(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder + "/");
}

bool ended_before(const monitor::ListedRun& run, std::chrono::seconds span) {
  const auto end = monitor::end_time(run);
  return end && std::chrono::system_clock::now() - *end >= span;
}

bool untouched_for(const std::string& path, std::chrono::seconds span) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return false;
  return std::chrono::system_clock::now() - std::chrono::system_clock::from_time_t(status.st_mtime) > span;
}

bool may_go(const std::string& snapshot, const monitor::RunList& list, const PruneRules& rules) {
  std::error_code fault;
  // A run's folder is written down without the links that lead to it.
  const std::string real = fs::canonical(snapshot, fault).string();
  if (fault) return false;
  bool claimed = false;
  for (const auto& run : list.runs) {
    if (!lies_in(run.work_folder(), real) && !lies_in(run.work_folder(), snapshot)) continue;
    claimed = true;
    if (!run.over || !ended_before(run, rules.wait_after_end)) return false;
  }
  if (claimed) return !holds_own_files(snapshot);
  for (const auto& gone : rules.removed_runs) {
    if (lies_in(gone.work_folder, real) || lies_in(gone.work_folder, snapshot)) return true;
  }
  return list.unreadable == 0 && untouched_for(snapshot + ".list", unclaimed_for);
}

void remove(const std::string& snapshots, const std::string& name) {
  // Renamed first, so that no client finds a partly removed snapshot; the next call finishes an interrupted removal.
  const std::string snapshot = snapshots + "/" + name;
  const std::string moved = snapshots + "/" + std::string(aside) + name;
  if (::rename(snapshot.c_str(), moved.c_str()) != 0) return;
  monitor::remove_leftovers({moved});
  for (const auto& beside : files_beside(snapshot)) ::unlink(beside.c_str());
}

std::vector<std::string> folders_in(const std::string& path) {
  std::vector<std::string> names;
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(path, fault)) {
    std::error_code unknown;
    if (entry.is_directory(unknown) && !entry.is_symlink(unknown)) names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::vector<std::string> prune_snapshots(const Settings& settings, const PruneRules& rules) {
  std::vector<std::string> removed;
  const auto list = all_runs(settings, rules.removed_runs);
  for (const auto& project : project_names(settings.home)) {
    const std::string snapshots = ProjectStore(settings.home, project).snapshots();
    for (const auto& name : folders_in(snapshots)) {
      const std::string path = (fs::path(snapshots) / name).string();
      if (name.starts_with(aside)) {
        if (!rules.dry_run) monitor::remove_leftovers({path});
        continue;
      }
      if (!may_go(path, list, rules)) continue;
      if (!rules.dry_run) remove(snapshots, name);
      removed.push_back(path);
    }
  }
  return removed;
}

}  // namespace rv::sync
