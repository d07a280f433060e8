#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace rv::workers {

/// How a file is replaced.
struct Replacing {
  /// Waits until content and name are on the disk (fsync), so that a crash of the machine leaves no empty file.
  bool stored = false;
  /// The old file is renamed to this name in the same folder; empty: it is replaced.
  std::filesystem::path keep_as = {};
};

/// Writes `parts` one after another to PATH.new and renames it to PATH. A crash of the process at any moment leaves a
/// complete file: the new one or the old one (at `keep_as`, if that is set). Only one process may write at a time.
/// Throws std::runtime_error that names the file and the system's reason. On failure nothing of the new file is left,
/// unless only its name could not be stored.
void replace_file(const std::filesystem::path& path, const std::vector<std::string_view>& parts,
                  const Replacing& how = {});

}  // namespace rv::workers
