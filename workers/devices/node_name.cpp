#include "workers/devices/node_name.h"

#include <unistd.h>

#include <array>
#include <cstdlib>

namespace rv::workers {

std::string node_name() {
  for (const char* const variable : {"RV_NODE_NAME", "SLURMD_NODENAME"}) {
    const auto* const said = std::getenv(variable);
    if (said != nullptr && *said != '\0') return said;
  }
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace rv::workers
