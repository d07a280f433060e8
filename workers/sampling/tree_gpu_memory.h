#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "workers/devices/nvml.h"

namespace rv::workers {

/// The GPU memory of a process tree, by the driver's list of processes. In a container the driver may list nobody, or
/// processes by the numbers of another namespace: then it is not known what the tree has, which is not 0.
class TreeGpuMemory {
 public:
  struct Look {
    std::optional<std::uint64_t> bytes;
    std::string why;  ///< the bytes are not known
  };
  /// On one GPU, of which `used` bytes are taken in all.
  Look look(Nvml& nvml, const std::string& gpu, std::optional<std::uint64_t> used, const std::set<pid_t>& tree);

 private:
  std::set<unsigned> seen_;                          ///< were listed with bytes: the driver has our numbers
  std::map<std::string, std::uint64_t> least_used_;  ///< by GPU, since the first look
};

}  // namespace rv::workers
