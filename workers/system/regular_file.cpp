#include "workers/system/regular_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace rv::workers {
namespace {

std::runtime_error unreadable(const std::filesystem::path& path, const std::string& reason) {
  return std::runtime_error(fmt::format("cannot read {}: {}", path.string(), reason));
}

}  // namespace

RegularFile::RegularFile(const std::filesystem::path& path, std::uint64_t most)
    // O_NONBLOCK: opening a pipe without a writer or a device does not block.
    : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
  struct stat status {};
  if (file_.number() < 0 || ::fstat(file_.number(), &status) != 0) throw unreadable(path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) {
    throw unreadable(path, S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file");
  }
  bytes_ = static_cast<std::uint64_t>(status.st_size);
  if (bytes_ > most) throw unreadable(path, fmt::format("it is larger than {} bytes", most));
}

bool RegularFile::read(std::uint64_t offset, char* to, std::size_t count) const {
  while (count > 0) {
    const ssize_t n = ::pread(file_.number(), to, count, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n;
    offset += static_cast<std::uint64_t>(n);
    count -= static_cast<std::size_t>(n);
  }
  return true;
}

std::string read_regular_file(const std::filesystem::path& path, std::uint64_t most) {
  const RegularFile file(path, most);
  std::string content(file.bytes(), '\0');
  if (!file.read(0, content.data(), content.size())) throw unreadable(path, "it is truncated");
  return content;
}

}  // namespace rv::workers
