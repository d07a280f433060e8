#include "monitor/run/hard_links.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "shared/system/descriptor.h"

namespace rv::monitor {

bool means_no_links(int error) {
  return error == EPERM || error == EXDEV || error == EMLINK || error == EOPNOTSUPP || error == ENOSYS;
}

void require_hard_links(const std::string& folder, const std::string& scratch) {
  // With a dot: readers of the ledger pass over it.
  const std::string file = folder + "/.link-try." + std::to_string(::getpid());
  const std::string link = file + ".2";
  const os::Descriptor made(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (made.number() < 0) return;
  const int error = ::link(file.c_str(), link.c_str()) == 0 ? 0 : errno;
  // Over a network a link that was made can be reported as failed.
  struct stat status {};
  const bool there = ::stat(link.c_str(), &status) == 0;
  ::unlink(link.c_str());
  ::unlink(file.c_str());
  if (error == 0 || there || !means_no_links(error)) return;
  throw Error(
      "the file system of " + folder + " does not support hard links (" + std::strerror(error) + "), which runs need",
      "set RV_HOME to a folder on another file system that the nodes see, such as " +
          (scratch.empty() ? std::string("a folder in your scratch space") : scratch + "/rv"));
}

}  // namespace rv::monitor
