// Locks between processes, on whatever machines: flock on a file.
#pragma once

#include <optional>
#include <string>

#include "shared/system/descriptor.h"

namespace rv::os {

enum class Hold { alone, together };

/// What is to be where the file system knows no locks (ENOLCK, ENOTSUP): as if one had it, or as if another had.
enum class WithoutLocks { go_on, leave };

/// Given back at the end of its life, and by the kernel however the process ends.
class FileLock {
 public:
  /// Alone, without waiting. The file is made (0600) where there is none. Nothing, with errno, when another process has
  /// it (EWOULDBLOCK), or the file can't be opened.
  static std::optional<FileLock> try_take(const std::string& path, WithoutLocks without);

  /// Waits for it, through signals that are caught. Where the file system knows no locks it goes on without one.
  /// Nothing, with errno, when the file can't be opened.
  static std::optional<FileLock> wait(const std::string& path, Hold hold);

  /// Of the open file that is locked.
  int number() const { return file_.number(); }

 private:
  explicit FileLock(Descriptor file) : file_(std::move(file)) {}

  Descriptor file_;
};

/// Waits for the lock on an open file; it lasts until that is closed. False, with errno, when a signal that is caught
/// came first (EINTR), or the file system knows no locks.
bool lock_file(int file, Hold hold);

}  // namespace rv::os
