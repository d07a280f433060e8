#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rv::workers {

/// Where a training stands after `step` steps.
struct Checkpoint {
  std::int64_t step = 0;
  std::int64_t batch = 0;            ///< of the whole run; another one is another training
  std::vector<double> epoch_losses;  ///< summed over the steps of each epoch so far
  std::vector<float> state;
};

/// Writes FOLDER/NAME.checkpoint so that a crash at any moment leaves this one or the one before. Throws
/// std::runtime_error.
void save_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint,
                     const std::string& name = "rv-train");

struct Loaded {
  std::optional<Checkpoint> checkpoint;  ///< none: there is no file at all
  std::string warning;                   ///< the newest was damaged, and the one before is taken
};
/// Throws std::runtime_error where files are there and none is whole: a start from nothing would lose the work
/// silently.
Loaded load_checkpoint(const std::filesystem::path& folder, const std::string& name = "rv-train");

/// Appends "step N" to FOLDER/steps.log, for whoever wants to see that each was done once.
void log_step(const std::filesystem::path& folder, std::int64_t step);

}  // namespace rv::workers
