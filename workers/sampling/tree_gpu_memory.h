#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "workers/devices/nvml.h"

namespace rv::workers {

/// The GPU memory of a process tree, from the driver's list of processes. In a container the driver may list no
/// processes, or the PIDs of another namespace. Then the memory of the tree is unknown, which is not 0.
class TreeGpuMemory {
 public:
  struct Sample {
    std::optional<std::uint64_t> bytes;
    std::string why;  ///< why the bytes are unknown
  };
  /// Samples one GPU, of which all processes together use `used` bytes.
  Sample sample(Nvml& nvml, const std::string& gpu, std::optional<std::uint64_t> used, const std::set<pid_t>& tree);

 private:
  std::set<unsigned> seen_;                          ///< PIDs that were listed with bytes: the driver uses our PIDs
  std::map<std::string, std::uint64_t> least_used_;  ///< by GPU, since the first sample
};

}  // namespace rv::workers
