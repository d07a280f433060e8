// What the rv on the login node does for an rv sync, rv pull or rv run on a laptop.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rv::sync {

/// The words of a hop that are for it: "--rsync TOKEN PLACE NAME COMMAND…" makes the folder ready and runs rsync's
/// other half in it; "--remove NAME go|look" deletes the files named on stdin (a NUL behind each) and prints those that
/// were there. Nothing for any other words. Returns the exit code; what it throws has been said to the laptop too.
std::optional<int> serve_sync(const std::vector<std::string>& words);

}  // namespace rv::sync
