#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rv::workers {

/// The state of a training after `step` steps.
struct Checkpoint {
  std::int64_t step = 0;
  /// samples per step over all ranks; a checkpoint with another number belongs to another training
  std::int64_t batch = 0;
  std::vector<double> epoch_losses;  ///< sums over the steps of each epoch so far
  std::vector<float> state;
};

/// Writes FOLDER/NAME.checkpoint. A crash at any moment leaves the new checkpoint or the previous one. Throws
/// std::runtime_error.
void save_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint,
                     const std::string& name = "rv-train");

struct Loaded {
  std::optional<Checkpoint> checkpoint;  ///< nothing: there is no file
  std::string warning;                   ///< the newest checkpoint was damaged, and the previous one was loaded
};
/// Throws std::runtime_error if there are files but all are damaged: starting from scratch would lose the work
/// silently.
Loaded load_checkpoint(const std::filesystem::path& folder, const std::string& name = "rv-train");

/// Appends "step N" to FOLDER/steps.log. The log shows whether each step was made exactly once.
void log_step(const std::filesystem::path& folder, std::int64_t step);

}  // namespace rv::workers
