// A laptop's projects on the cluster: $RV_HOME/projects/<name>/.
//
//   files/             what was pushed, and whatever else people put there
//   snapshots/<id>/    the files as a run found them, mostly hard links
//   snapshots/<id>.list   what was in it when it was made
//   lock               held (flock): alone by a push, together by those who read
#pragma once

#include <string>
#include <vector>

#include "base/os/file_lock.h"

namespace rv::sync {

/// $RV_HOME/projects.
std::string projects_folder(const std::string& home);

class ProjectStore {
 public:
  /// Throws Error(usage) for a name that project_name() can't have made.
  ProjectStore(const std::string& home, const std::string& name);

  const std::string& path() const { return path_; }
  std::string files() const { return path_ + "/files"; }
  std::string snapshots() const { return path_ + "/snapshots"; }

 private:
  std::string path_;
};

/// Waits for the project's lock. The project's folder must be there.
os::FileLock lock_project(const ProjectStore& store, os::Hold hold);

/// Deletes files of the project, and folders that become empty with it, never through a symbolic link. `look`: deletes
/// nothing. Returns those that were there. Paths that lead out of the project are left alone.
std::vector<std::string> remove_files(const ProjectStore& store, const std::vector<std::string>& paths, bool look);

/// Names of all projects on the cluster, in order.
std::vector<std::string> project_names(const std::string& home);

}  // namespace rv::sync
