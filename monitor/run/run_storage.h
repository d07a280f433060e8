// Run folders as files: their sizes, leftovers of killed processes, and removal.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "monitor/run/run_folder.h"

namespace rv::monitor {

/// Returns the bytes on disk of all files below the folder. Links are not followed; files that can't be read count as
/// 0, and of a file with several names each name counts a share.
std::int64_t bytes_below(const std::string& folder);

/// Whether `id` is a folder (not a link) of this user directly below `runs`, with a readable run.json of the same ID.
bool is_run_folder(const std::string& runs, const std::string& id);

/// Removes a run. It first renames the folder to a hidden name, so that no rv reads a half-deleted run, then deletes
/// it. Returns false and restores the folder if the run is not over, if another process holds its submit lock, or if
/// `is_needed` returns true. `is_needed` is called after the folder was hidden, and checks whether another run refers
/// to this one. Throws Error if the folder can't be renamed.
bool remove_run(const std::string& runs, const std::string& id, const std::function<bool()>& is_needed = {});

/// Returns paths below `home` that rv processes left behind when they were killed: temporary files, folders hidden by
/// remove_run, and folders of runs that were never published. Only paths not modified for `untouched` are included.
/// `skip`: runs in which nothing is left; a call may be slow where each file is on a network.
std::vector<std::string> leftovers(const std::string& home, std::chrono::seconds untouched,
                                   const std::set<std::string>& skip = {});

/// Deletes these paths and returns how many are gone. A path that can't be deleted stays; a later call can try again.
int remove_leftovers(const std::vector<std::string>& paths);

}  // namespace rv::monitor
