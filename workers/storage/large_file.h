#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shared/system/descriptor.h"
#include "workers/storage/measured_folder.h"

namespace rv::workers {

/// The result of one pass over a file.
struct Pass {
  std::uint64_t bytes = 0;
  std::uint64_t operations = 0;
  double seconds = 0;
};

/// A large file that is unlinked as soon as it is open, so that it disappears with its process. Each 4 KiB page has
/// random bits and its own number, and every page that is read is checked. The page cache is bypassed: with O_DIRECT if
/// the file system supports it, else with fsync and posix_fadvise(DONTNEED) before each pass.
///
/// All functions throw std::runtime_error with the system's message, or WrongPage for a page with the wrong content.
class LargeFile {
 public:
  static constexpr std::size_t page = 4096, block = std::size_t{4} << 20;

  /// `folder` must belong to this rank. `direct` false: do not use O_DIRECT.
  LargeFile(const std::string& folder, const FolderFacts& facts, bool direct = true);

  /// Writes `bytes`, or for `most_seconds` if that ends first, and then calls fsync, which is part of the time.
  Pass write(std::uint64_t bytes, double most_seconds);
  /// Reads the written data from the beginning in units of `block`, for at most this long.
  Pass read(double most_seconds);
  /// Reads single pages for `seconds`, each page at most once, in random order, with `threads` threads of one request
  /// each. Another `turn` selects other pages.
  Pass read_pages(int threads, double seconds, std::uint64_t turn);

  /// How the page cache is bypassed: "O_DIRECT", "posix_fadvise", or "memory" if the file system is in memory.
  std::string_view way() const;
  /// For tests: changes the content of a page.
  void damage(std::uint64_t page_number);

 private:
  void forget();
  std::uint64_t pages() const { return written_ / page; }

  os::Descriptor file_;
  bool direct_, in_memory_;
  std::uint64_t written_ = 0, seed_;
};

/// A page did not have the content that was written: a finding, not an error of the measurement.
class WrongPage : public std::exception {
 public:
  explicit WrongPage(std::uint64_t number);
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

}  // namespace rv::workers
