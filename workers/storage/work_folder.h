#pragma once

#include <string>
#include <vector>

#include "workers/storage/measured_folder.h"

namespace rv::workers {

/// Where this process's ranks write, and what takes all of it away again. A rank makes its own folder and removes it;
/// what a rank that was killed has left, this object removes when it goes. A signal that would end this process
/// meanwhile goes on to the ranks alone (workers/ranks/children.h), and ends this process afterwards: see
/// end_by_signal().
class WorkFolders {
 public:
  /// Makes nothing yet. One object at a time, made before the ranks are started. `folders` must outlive it.
  WorkFolders(const std::vector<MeasuredFolder>& folders, int first_rank, int ranks);
  ~WorkFolders();
  WorkFolders(const WorkFolders&) = delete;
  WorkFolders& operator=(const WorkFolders&) = delete;

  /// FOLDER/rv-io-NODE-RANDOM-RANK.
  std::string path(const MeasuredFolder& folder, int rank) const;

  /// Ends this process by the signal that came, if one came. Call it once nothing is left.
  static void end_by_signal();

 private:
  const std::vector<MeasuredFolder>& folders_;
  int first_rank_, ranks_;
  std::string stem_;
};

/// A folder that is made now and is gone with this object, with all that is in it. Throws std::runtime_error.
class OwnFolder {
 public:
  explicit OwnFolder(std::string path);
  ~OwnFolder();
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace rv::workers
