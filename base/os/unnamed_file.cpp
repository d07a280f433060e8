#include "base/os/unnamed_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/error.h"

namespace rv::os {

Descriptor unnamed_file() {
  Descriptor file(::memfd_create("rv", MFD_CLOEXEC));
  if (file.number() >= 0) return file;
  std::string path = "/tmp";
  if (errno == ENOSYS) {
    if (const char* folder = std::getenv("TMPDIR"); folder != nullptr && *folder != '\0') path = folder;
    path += "/rv-XXXXXX";
    file = Descriptor(::mkostemp(path.data(), O_CLOEXEC));
    if (file.number() >= 0 && ::unlink(path.c_str()) == 0) return file;
  }
  throw Error("can't create a temporary file in " + path + ": " + std::strerror(errno),
              "free some space there, or set TMPDIR to a folder with room");
}

}  // namespace rv::os
