#include "shared/system/boot_id.h"

#include <fstream>

namespace rv::os {

std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  file >> id;
  return id;
}

}  // namespace rv::os
