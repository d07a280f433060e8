// `--array 0-99%8`: which elements, and how many of them at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::cli {

struct ArrayOption {
  std::vector<int> elements;  // ascending, without repeats; empty: no array
  std::string for_sbatch;     // "0-99%8"
  int at_once = 0;            // 8; 0: no bound
};

/// "7", "0-99", "0-20:5", "1,3,8-10", each with "%N" behind it for at most N at a time. Throws Error(usage) for
/// anything else, and for more elements than Slurm allows anywhere (4,000,001).
ArrayOption parse_array(std::string_view text);

}  // namespace rv::cli
