#pragma once

#include <vector>

#include "workers/ranks/peer.h"
#include "workers/storage/work_folder.h"

namespace rv::workers {

struct StorageRequest {
  std::vector<MeasuredFolder> folders;
  std::uint64_t bytes = std::uint64_t{256} << 20;  ///< of each rank's large file; a rank has one at a time
  int small_files = 1000;                          ///< of each rank
  double seconds = 5;                              ///< limit for each pass over the large file and the small ones
  double random_seconds = 0.5;                     ///< of each pass of random reads
  bool direct = true;
};

/// A folder that every rank can use, and the properties of its file system as rank 0 sees them.
struct UsableFolder {
  MeasuredFolder folder;
  FolderFacts facts;
  std::string same_as;  ///< label of an earlier folder on the same file system, whose measurement counts for both
};

/// Checks all folders and their free space on all ranks before anything is written. A folder that a rank can't use is
/// reported as an error that names the rank, and left out. Returns the same on every rank.
std::vector<UsableFolder> usable_folders(Peer& peer, const StorageRequest& request);

/// Measures each folder: one rank at a time (in up to eight turns; with more ranks, several share a turn), then all
/// ranks at once. Bandwidths are in GB/s (10⁹ bytes), random reads in IO/s, small files in files/s.
void measure_storage(Peer& peer, const StorageRequest& request, const WorkFolders& work,
                     const std::vector<UsableFolder>& folders);

}  // namespace rv::workers
