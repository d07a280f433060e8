// `--snapshot`: a run that is started on the login node sees the project as it was then.
#pragma once

#include <string>

namespace rv::cli {

/// The snapshot is removed with this object, unless a run has been started in it.
class SnapshotForRun {
 public:
  /// If `wanted`: makes a snapshot of the project around the current folder (cli/remote/sync/snapshot.h) and goes to
  /// the same folder in it. In a snapshot there is nothing to do. Throws Error(usage) outside of a project.
  SnapshotForRun(bool wanted, const std::string& home);
  ~SnapshotForRun();
  SnapshotForRun(const SnapshotForRun&) = delete;
  SnapshotForRun& operator=(const SnapshotForRun&) = delete;

  /// A run needs it now; rv gc removes it after the run.
  void keep() { folder_.clear(); }

 private:
  std::string before_;  // the folder in which rv was called
  std::string folder_;  // the snapshot's
};

/// Records in the run's folder which code the run sees in `work_folder` (absolute): the version in git, or what the
/// snapshot was made of. Outside of git nothing is recorded.
void record_code(const std::string& run_folder, const std::string& work_folder, const std::string& home);

}  // namespace rv::cli
