#include "monitor/run/submit_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace rv::monitor {

std::unique_ptr<SubmitLock> SubmitLock::try_take(const RunFolder& folder) {
  const int fd = ::open(folder.file("submit.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return nullptr;
  // Where the file system knows no locks two clients may submit the same candidate twice; the gate lets one run.
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(fd);
    return nullptr;
  }
  return std::unique_ptr<SubmitLock>(new SubmitLock(fd));
}

SubmitLock::~SubmitLock() {
  ::close(fd_);
}

}  // namespace rv::monitor
