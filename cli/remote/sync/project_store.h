// A laptop's projects on the cluster, and projects of the cluster of which snapshots were made:
// $RV_HOME/projects/<name>/.
//
//   files/             pushed files, and other files that users put there
//   snapshots/<id>/    the files as a run found them, mostly hard links
//   snapshots/<id>.list   what was in it when it was made
//   snapshots/<id>.code.*   the commit and the changes since, for a snapshot made on the cluster
//   lock               held (flock): exclusively by a push, shared by readers
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

/// Waits for the project's lock. The project's folder must exist.
os::FileLock lock_project(const ProjectStore& store, os::LockMode mode);

/// Deletes files of the project, and folders that become empty with it, never through a symbolic link. `look`: deletes
/// nothing. Returns those that existed. Skips paths that lead out of the project.
std::vector<std::string> remove_files(const ProjectStore& store, const std::vector<std::string>& paths, bool look);

/// Names of all projects on the cluster, in order.
std::vector<std::string> project_names(const std::string& home);

}  // namespace rv::sync
