#include "monitor/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "planner/error.h"

namespace rv::monitor {
namespace {

[[noreturn]] void fail(const std::string& doing, const std::string& path) {
  const int reason = errno;
  throw Error("can't " + doing + " " + path + ": " + std::strerror(reason),
              reason == ENOSPC || reason == EDQUOT
                  ? "free some space there, or set RV_HOME to a folder with room"
                  : "check the folder's permissions, or set RV_HOME to another folder");
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

void write_file(const std::string& path, std::string_view content) {
  const std::string temporary = path + ".tmp." + std::to_string(::getpid());
  {
    const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (file.get() < 0) fail("write", path);
    for (std::string_view rest = content; !rest.empty();) {
      const ssize_t count = ::write(file.get(), rest.data(), rest.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) {
        const int reason = errno;
        ::unlink(temporary.c_str());
        errno = reason;
        fail("write", path);
      }
      rest.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) fail("write", path);
}

void write_new_file(const std::string& path, std::string_view content) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) fail("write", path);
  bool written = true;
  while (written && !content.empty()) {
    const ssize_t count = ::write(fd, content.data(), content.size());
    if (count >= 0) content.remove_prefix(static_cast<std::size_t>(count));
    written = count >= 0 || errno == EINTR;
  }
  written = written && ::fsync(fd) == 0;
  int reason = errno;
  if (::close(fd) != 0 && written) {
    written = false;
    reason = errno;
  }
  if (written) return;
  ::unlink(path.c_str());
  errno = reason;
  fail("write", path);
}

std::optional<std::string> read_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    fail("read", path);
  }
  std::string content;
  char buffer[65536];
  while (true) {
    const ssize_t count = ::read(file.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("read", path);
    if (count == 0) return content;
    content.append(buffer, static_cast<std::size_t>(count));
  }
}

void make_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return;
  const auto slash = path.rfind('/');
  if (errno != ENOENT || slash == std::string::npos || slash == 0) fail("make the folder", path);
  make_folder(path.substr(0, slash));
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) fail("make the folder", path);
}

}  // namespace rv::monitor
