// The end of a training after a warning: SIGUSR1, which Slurm or a chain sends before the walltime ends.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace rv::workers {

/// From this call on SIGUSR1 only sets a flag. Call it before the ranks start: an early warning must not kill them.
void catch_the_warning();
bool was_warned();

/// `given`, or if it is empty the folder in RV_CHECKPOINT_DIR.
inline std::filesystem::path checkpoint_folder(const std::filesystem::path& given) {
  const auto* const folder = std::getenv("RV_CHECKPOINT_DIR");
  return given.empty() && folder != nullptr ? std::filesystem::path(folder) : given;
}

}  // namespace rv::workers
