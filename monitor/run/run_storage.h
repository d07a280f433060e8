// Run folders as files: how much they hold, what was left behind in them, and taking them away.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "monitor/run/run_folder.h"

namespace rv::monitor {

/// Bytes on disk of everything below the folder. Links are not followed; what can't be read counts nothing.
std::int64_t bytes_below(const std::string& folder);

/// A folder (no link) of this user's directly below `runs` whose run.json can be read and names that very ID.
bool is_run_folder(const std::string& runs, const std::string& id);

/// Takes a run away: moved aside under a hidden name first, so that no rv can come upon a half of it, then deleted.
/// False, with the folder back in its place, if it turns out not to be over, if another process holds its submit lock,
/// or if `is_needed`, called once the folder can't be found any more, returns that another run has named it meanwhile.
/// Throws Error when it can't be moved.
bool remove_run(const std::string& runs, const std::string& id, const std::function<bool()>& is_needed = {});

/// Paths below `home` that some rv left behind when it was killed: temporary files, folders moved aside by a removal,
/// folders of runs that were never published. Only what no process has touched for `untouched`.
std::vector<std::string> leftovers(const std::string& home, std::chrono::seconds untouched);

/// Deletes such paths; what can't be deleted stays, for the next time. The number of those that are gone.
int remove_leftovers(const std::vector<std::string>& paths);

}  // namespace rv::monitor
