// Reading files that another user may have created: a device, a pipe or an endless file must not block a worker.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

#include "shared/system/descriptor.h"

namespace rv::workers {

/// A regular file, open for reading. Links are followed, and opening does not wait for the other end of a pipe.
class RegularFile {
 public:
  /// Throws std::runtime_error, "cannot read PATH: REASON", for anything but a regular file of at most `most` bytes.
  explicit RegularFile(const std::filesystem::path& path,
                       std::uint64_t most = std::numeric_limits<std::int64_t>::max());

  /// Its length when it was opened, bytes.
  std::uint64_t bytes() const { return bytes_; }

  /// Reads exactly `count` bytes from `offset`. Returns false if the file ends before or can't be read.
  bool read(std::uint64_t offset, char* to, std::size_t count) const;

 private:
  os::Descriptor file_;
  std::uint64_t bytes_ = 0;
};

/// The content of a regular file of at most `most` bytes. Throws std::runtime_error as RegularFile does.
std::string read_regular_file(const std::filesystem::path& path, std::uint64_t most);

}  // namespace rv::workers
