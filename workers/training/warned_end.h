// The end of a training that was warned: SIGUSR1, which Slurm or a chain sends before the walltime ends.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace rv::workers {

/// From here on SIGUSR1 only sets a flag. To be called before the ranks start: a warning that comes early must not kill
/// them.
void catch_the_warning();
bool was_warned();

/// `given`, or the folder of RV_CHECKPOINT_DIR where that is empty.
inline std::filesystem::path checkpoint_folder(const std::filesystem::path& given) {
  const auto* const folder = std::getenv("RV_CHECKPOINT_DIR");
  return given.empty() && folder != nullptr ? std::filesystem::path(folder) : given;
}

}  // namespace rv::workers
