#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace rv::workers {

/// How a file is replaced.
struct Replacing {
  /// Seen to be on the disk, content and name, before that returns: a machine's crash leaves no empty file.
  bool stored = false;
  /// The name that the old file gets, in the same folder; empty: it goes.
  std::filesystem::path keep_as = {};
};

/// Writes `parts`, one after another, to PATH.new and renames that, so that a crash of the process at any moment leaves
/// a whole file: this one or the one before, which stands at `keep_as` by then. One writer at a time. Throws
/// std::runtime_error that names the file and the system's reason; nothing of the new one is left then, unless only its
/// name could not be stored.
void replace_file(const std::filesystem::path& path, const std::vector<std::string_view>& parts,
                  const Replacing& how = {});

}  // namespace rv::workers
