// Accounting's answer about limits, kept for a while.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace rv::slurm {

/// sacctmgr goes through the accounting database and takes longer than all other questions of a plan together, and the
/// limits it tells change a few times a year. A stale one costs no more than a refusal by Slurm, in its own words.
class LimitsCache {
 public:
  static constexpr std::chrono::minutes fresh{10};

  /// An empty folder: nothing is kept.
  LimitsCache(std::string folder, std::string_view user);

  /// The answer's text when it is younger than `fresh`.
  std::optional<std::string> read() const;

  /// Best effort: a cache that can't be written is no error. Mode 0600.
  void write(std::string_view text) const;

 private:
  std::string path_;
};

}  // namespace rv::slurm
