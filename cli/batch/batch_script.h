// A file that sbatch would take: read once, so that what is checked is what runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::cli {

struct BatchScript {
  std::string name;                      // as typed
  std::string text;                      // byte for byte
  std::vector<std::string> interpreter;  // of its "#!" line, as the kernel splits it: the program, and one argument
};

/// Whether the name ends as batch scripts' names do, and hardly any other file's: "train.sbatch", "train.slurm".
bool is_named_as_batch(std::string_view name);

/// Reads the batch script that the first of the words names: a file with a #SBATCH line before its first command.
/// Returns nullopt if the first word does not name such a file. Throws Error(usage) for what sbatch refuses: no "#!"
/// line, Windows line ends, a NUL byte, and more than 4 MiB. It throws also for a file that can't be read, if it is
/// named *.sh or as batch scripts are.
std::optional<BatchScript> batch_script(const std::vector<std::string>& words);

}  // namespace rv::cli
