// One line of `scontrol -o`: Key=value pairs whose values may hold blanks.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace rv::slurm {

class KeyValues {
 public:
  /// Splits only at a blank followed by "Key=" (letters, digits, "_", ":" or "/" before the "="), so that OS= and
  /// Reason= keep their blanks. The views point into `line`.
  explicit KeyValues(std::string_view line);

  /// The first value under the key, empty when there is none. First, because free text (Reason, Comment) comes late in
  /// Slurm's lines and may hold anything.
  std::string_view operator[](std::string_view key) const;

 private:
  std::vector<std::pair<std::string_view, std::string_view>> pairs_;
};

}  // namespace rv::slurm
