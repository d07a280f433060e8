#include "slurm/configuration.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/variable.h"

namespace rv::slurm {

std::string unreadable_configuration() {
  const std::string given = variable("SLURM_CONF");
  if (given.empty() || ::access(given.c_str(), R_OK) == 0) return "";
  return "SLURM_CONF names " + given + ", which can't be read: " + std::strerror(errno);
}

bool says_no_configuration(std::string_view complaint) {
  for (const std::string_view words :
       {"Could not establish a configuration source", "failed to fetch config", "cannot stat file"}) {
    if (complaint.find(words) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace rv::slurm
