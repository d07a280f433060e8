#include "workers/devices/node_name.h"

#include <unistd.h>

#include <array>
#include <cstdlib>

namespace rv::workers {

std::string node_name() {
  const auto* const slurm = std::getenv("SLURMD_NODENAME");
  if (slurm != nullptr && *slurm != '\0') return slurm;
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace rv::workers
