// The login node's side of rv sync, rv pull and rv run on a laptop.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rv::sync {

/// The words of a hop that are for it: "--rsync TOKEN PLACE NAME COMMAND…" makes the folder ready and runs rsync's
/// other half in it; "--remove NAME go|look" deletes the files named on stdin (each ends with NUL) and prints those
/// that were there. Nothing for other arguments. Returns the exit code; an error that it throws has been sent to the
/// laptop too.
std::optional<int> serve_sync(const std::vector<std::string>& words);

}  // namespace rv::sync
