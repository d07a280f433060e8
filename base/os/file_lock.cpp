#include "base/os/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <utility>

namespace rv::os {
namespace {

// Opened for writing too: NFS emulates flock() by fcntl() locks, which need that for an exclusive lock (flock(2)).
Descriptor open_to_lock(const std::string& path) {
  return Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
}

}  // namespace

std::optional<FileLock> FileLock::try_take(const std::string& path, WithoutLocks without) {
  Descriptor file = open_to_lock(path);
  if (file.number() < 0) return std::nullopt;
  const bool taken = ::flock(file.number(), LOCK_EX | LOCK_NB) == 0;
  if (!taken && (errno == EWOULDBLOCK || without == WithoutLocks::leave)) return std::nullopt;
  return FileLock(std::move(file));
}

std::optional<FileLock> FileLock::wait(const std::string& path, LockMode mode) {
  Descriptor file = open_to_lock(path);
  if (file.number() < 0) return std::nullopt;
  while (!lock_file(file.number(), mode) && errno == EINTR) continue;
  return FileLock(std::move(file));
}

bool lock_file(int file, LockMode mode) {
  return ::flock(file, mode == LockMode::exclusive ? LOCK_EX : LOCK_SH) == 0;
}

}  // namespace rv::os
