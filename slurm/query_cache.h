// Caches the output of a query of Slurm in a file.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace rv::slurm {

/// The output of one query about one user on one cluster, in a file of a folder.
class QueryCache {
 public:
  /// The file is `NAME-USER-CLUSTER` in the folder. With an empty `folder` nothing is stored.
  QueryCache(const std::string& folder, std::string_view name, std::string_view user, std::chrono::minutes fresh);

  /// The text, if it is younger than `fresh`.
  std::optional<std::string> read() const;

  /// Best effort: a failure to write is not an error. Mode 0600.
  void write(std::string_view text) const;

 private:
  std::string path_;
  std::chrono::minutes fresh_;
};

/// `FOLDER/NAME-USER-CLUSTER`: one home may serve several clusters (slurm/cluster_key.h). Makes the folder.
std::string cache_file(const std::string& folder, std::string_view name, std::string_view user);

}  // namespace rv::slurm
