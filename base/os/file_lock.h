// Locks between processes, also on different machines: flock(2) on a file.
#pragma once

#include <optional>
#include <string>

#include "shared/system/descriptor.h"

namespace rv::os {

enum class LockMode { exclusive, shared };

/// What try_take() does if the file system does not support locks (ENOLCK, ENOTSUP): behave as if the lock was taken,
/// or as if another process held it.
enum class WithoutLocks { go_on, leave };

/// The lock is released by the destructor, or by the kernel when the process ends.
class FileLock {
 public:
  /// Tries to take an exclusive lock, without waiting. Creates the file (0600) if it does not exist. Returns nothing,
  /// with errno, if another process holds the lock (EWOULDBLOCK) or the file can't be opened.
  static std::optional<FileLock> try_take(const std::string& path, WithoutLocks without);

  /// Waits for the lock; a caught signal does not end the wait. If the file system does not support locks, returns
  /// without one. Returns nothing, with errno, if the file can't be opened.
  static std::optional<FileLock> wait(const std::string& path, LockMode mode);

  /// The descriptor of the locked file.
  int number() const { return file_.number(); }

 private:
  explicit FileLock(Descriptor file) : file_(std::move(file)) {}

  Descriptor file_;
};

/// Waits for the lock on an open file, which lasts until the file is closed. Returns false, with errno, if a caught
/// signal interrupts the wait (EINTR) or the file system does not support locks.
bool lock_file(int file, LockMode mode);

}  // namespace rv::os
