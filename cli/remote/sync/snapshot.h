// A project's files as a run found them, so that a later push or edit does not change what the run sees.
#pragma once

#include <string>
#include <vector>

#include "cli/remote/sync/project_store.h"

namespace rv::sync {

/// Makes a snapshot of the project's files and returns its folder. Files are hard links (copies where the file system
/// has none across folders): rsync replaces a file, it never writes into one. Waits for a push that is under way.
/// Throws Error when nothing has been pushed or the disk is full.
std::string make_snapshot(const ProjectStore& store);

/// The same from a folder of this machine: the files that project_files() lists are copied, everything else in the
/// folder is a symbolic link to the original (data, environments, folders for results), without git's own files and
/// Python's byte code. Throws Error(usage) if the copies exceed 1 GiB, and Error if a file does not stop changing.
std::string copy_to_snapshot(const ProjectStore& store, const std::string& root);

/// What lies beside a snapshot and is removed with it: the list of its files, and what is known of its code.
std::vector<std::string> files_beside(const std::string& snapshot);

/// Whether a file in the snapshot has been made or changed since; Python's byte code does not count.
/// True if the original content is unknown.
bool holds_own_files(const std::string& snapshot);

}  // namespace rv::sync
