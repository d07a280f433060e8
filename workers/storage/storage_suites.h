#pragma once

#include <vector>

#include "workers/ranks/peer.h"
#include "workers/storage/work_folder.h"

namespace rv::workers {

struct StorageRequest {
  std::vector<MeasuredFolder> folders;
  std::uint64_t bytes = std::uint64_t{256} << 20;  ///< of each rank's large file; there is one at a time
  int small_files = 1000;                          ///< of each rank
  double seconds = 5;                              ///< at most, of each pass over the large file and the small ones
  double random_seconds = 0.5;                     ///< of each pass of random reads
  bool direct = true;
};

/// A folder that every rank can use, and what rank 0 sees of its file system.
struct UsableFolder {
  MeasuredFolder folder;
  FolderFacts facts;
  std::string same_as;  ///< the label of an earlier one on the same file system, which is measured for both
};

/// Looks at all folders on all ranks, and for room, before anything is written. What a rank can't use is reported as an
/// error that names it, and left out. The same on every rank.
std::vector<UsableFolder> usable_folders(Peer& peer, const StorageRequest& request);

/// Reports for each folder what one rank reaches at a time (up to eight turns; beyond that several ranks share a turn),
/// and what all of them reach at once. Bandwidths in GB/s (10⁹ bytes), random reads in IO/s, small files in files/s.
void measure_storage(Peer& peer, const StorageRequest& request, const WorkFolders& work,
                     const std::vector<UsableFolder>& folders);

}  // namespace rv::workers
