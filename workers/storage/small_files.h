#pragma once

#include <string>

#include "workers/storage/large_file.h"

namespace rv::workers {

/// The result of creating and listing small files in a folder of this rank: `operations` is the number of files.
struct SmallFiles {
  Pass created;  ///< created, 4 KiB written and closed, one after the other
  Pass listed;   ///< the folder read, with the size and time of each file, as by ls -l
  Pass removed;
};

constexpr std::size_t small_file_bytes = 4096;

/// Creates at most `most` files in FOLDER/small for at most `seconds`, lists them, and removes them and the folder.
/// Throws std::runtime_error with the system's message.
SmallFiles measure_small_files(const std::string& folder, int most, double seconds);

}  // namespace rv::workers
