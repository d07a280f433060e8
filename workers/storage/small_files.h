#pragma once

#include <string>

#include "workers/storage/large_file.h"

namespace rv::workers {

/// What small files in one folder of this rank's own came to: `operations` is the number of files.
struct SmallFiles {
  Pass created;  ///< made, 4 KiB written, closed, one after the other
  Pass listed;   ///< the folder read, and each file's size and time asked for, as ls -l does
  Pass removed;
};

constexpr std::size_t small_file_bytes = 4096;

/// Makes at most `most` files in FOLDER/small for at most `seconds`, lists and removes them, and the folder. Throws
/// std::runtime_error with the system's word.
SmallFiles measure_small_files(const std::string& folder, int most, double seconds);

}  // namespace rv::workers
