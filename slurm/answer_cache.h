// An answer of Slurm, kept for a while.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace rv::slurm {

/// The text of one answer about one user on one cluster, in a file of a folder.
class AnswerCache {
 public:
  /// `NAME-USER-CLUSTER` in the folder. An empty folder: nothing is kept.
  AnswerCache(const std::string& folder, std::string_view name, std::string_view user, std::chrono::minutes fresh);

  /// The text when it is younger than `fresh`.
  std::optional<std::string> read() const;

  /// Best effort: failing to keep an answer is not an error. Mode 0600.
  void write(std::string_view text) const;

 private:
  std::string path_;
  std::chrono::minutes fresh_;
};

/// `FOLDER/NAME-USER-CLUSTER`: one home may serve several clusters (slurm/cluster_key.h). Makes the folder.
std::string cache_file(const std::string& folder, std::string_view name, std::string_view user);

}  // namespace rv::slurm
