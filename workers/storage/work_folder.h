#pragma once

#include <string>
#include <vector>

#include "workers/storage/measured_folder.h"

namespace rv::workers {

/// The folders into which this process's ranks write, and their removal. A rank creates and removes its own folder;
/// this object's destructor removes those of ranks that were killed. A signal that would end this process is meanwhile
/// only forwarded to the ranks (workers/ranks/children.h), and ends this process afterwards: see end_by_signal().
class WorkFolders {
 public:
  /// Creates nothing yet. Create one object at a time, before the ranks are started. `folders` must outlive it.
  WorkFolders(const std::vector<MeasuredFolder>& folders, int first_rank, int ranks);
  ~WorkFolders();
  WorkFolders(const WorkFolders&) = delete;
  WorkFolders& operator=(const WorkFolders&) = delete;

  /// FOLDER/rv-io-NODE-RANDOM-RANK.
  std::string path(const MeasuredFolder& folder, int rank) const;

  /// Ends this process by the signal that was received, if any. Call it after everything has been removed.
  static void end_by_signal();

 private:
  const std::vector<MeasuredFolder>& folders_;
  int first_rank_, ranks_;
  std::string stem_;
};

/// A folder that the constructor creates and the destructor removes with its content. Throws std::runtime_error.
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
