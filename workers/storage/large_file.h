#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shared/system/descriptor.h"
#include "workers/storage/measured_folder.h"

namespace rv::workers {

/// What one pass over a file came to.
struct Pass {
  std::uint64_t bytes = 0;
  std::uint64_t operations = 0;
  double seconds = 0;
};

/// One large file that has no name any more as soon as it is open, so that nothing of it outlives its process. Each 4
/// KiB page holds random bits and its own number, and every page that is read is looked at. Past the page cache:
/// O_DIRECT where the file system has it, else fsync and posix_fadvise(DONTNEED) before each pass.
///
/// All throw std::runtime_error with the system's word; a page that is not what was written is a WrongPage.
class LargeFile {
 public:
  static constexpr std::size_t page = 4096, block = std::size_t{4} << 20;

  /// `folder` must be this rank's own. `direct` false: as though the file system had no O_DIRECT.
  LargeFile(const std::string& folder, const FolderFacts& facts, bool direct = true);

  /// Writes until `bytes` are there or `most_seconds` have passed, and fsync, which counts.
  Pass write(std::uint64_t bytes, double most_seconds);
  /// Reads what was written from its beginning, `block` at a time, at most so long.
  Pass read(double most_seconds);
  /// Reads single pages, each at most once, in random order by so many threads at once, each with one request under
  /// way, for so long. `turn` chooses other pages than the last call.
  Pass read_pages(int threads, double seconds, std::uint64_t turn);

  /// "O_DIRECT", "posix_fadvise", or "memory" where there is nothing behind the page cache.
  std::string_view way() const;
  /// For tests: another page than what was written.
  void damage(std::uint64_t page_number);

 private:
  void forget();
  std::uint64_t pages() const { return written_ / page; }

  os::Descriptor file_;
  bool direct_, in_memory_;
  std::uint64_t written_ = 0, seed_;
};

/// Where a page was not what had been written: a finding, not a fault of the measurement.
class WrongPage : public std::exception {
 public:
  explicit WrongPage(std::uint64_t number);
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

}  // namespace rv::workers
