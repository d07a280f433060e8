// A project's files as a run found them, so that a later push does not change what the run sees.
#pragma once

#include <string>

#include "cli/remote/sync/project_store.h"

namespace rv::sync {

/// Makes a snapshot of the project's files and returns its folder. Files are hard links (copies where the file system
/// has none across folders): rsync replaces a file, it never writes into one. Waits for a push that is under way.
/// Throws Error when nothing has been pushed or the disk is full.
std::string make_snapshot(const ProjectStore& store);

/// Whether a file in the snapshot has been made or changed since; Python's byte code does not count.
/// True if the original content is unknown.
bool holds_own_files(const std::string& snapshot);

}  // namespace rv::sync
