// The laptop's files go to the cluster.
#pragma once

#include <string>

#include "cli/remote/sync/changes.h"
#include "cli/remote/sync/file_state.h"
#include "cli/remote/sync/project.h"
#include "cli/settings/settings.h"

namespace rv::sync {

struct PushOrder {
  Project project;
  HostSettings there;
  std::string home;  // rv's on this machine
  bool dry_run = false;
  bool shows_progress = false;
};

struct Pushed {
  std::string folder;  // the project's files on the login node
  Changes changes;
  FileStates states;  // of the files when they were listed
};

/// Makes the project's files there like those here: new and changed ones are copied, those that an earlier push brought
/// and that are gone here are deleted; what others made there stays. Throws Error.
Pushed push(const PushOrder& order);

/// The project's name on the cluster.
std::string name_of(const Project& project);

}  // namespace rv::sync
