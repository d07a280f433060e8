#include "base/trust/regular_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/text.h"
#include "base/trust/project_folder.h"
#include "shared/system/descriptor.h"

namespace rv::trust {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw Error(fmt::format("can't read {}: {}", one_line(path), reason), "correct it, make it readable, or move it away",
              ExitCode::usage);
}

/// A pipe without a writer is opened at once, and a device is not waited for.
os::Descriptor open_at_once(const std::string& path) {
  return os::Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
}

/// Reads to the end, or until there is more than `most`. Returns false, with errno, where a read fails.
bool read_past(int file, std::size_t most, std::string& content) {
  char buffer[65536];
  while (content.size() <= most) {
    const ssize_t count = ::read(file, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) break;
    content.append(buffer, static_cast<std::size_t>(count));
  }
  return true;
}

std::string read_all(int file, const std::string& path, std::size_t most) {
  std::string content;
  if (!read_past(file, most, content)) fail(path, std::strerror(errno));
  if (content.size() > most) fail(path, fmt::format("it is larger than {} bytes", most));
  return content;
}

template <typename Check>
std::optional<std::string> read_checked(const std::string& path, std::size_t most, const Check& check) {
  const os::Descriptor file = open_at_once(path);
  if (file.number() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    fail(path, std::strerror(errno));
  }
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) fail(path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) fail(path, S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file");
  check(status);
  // Files of /proc and /sys say 0 and are read all the same.
  if (static_cast<std::size_t>(status.st_size) > most) fail(path, fmt::format("it is larger than {} bytes", most));
  return read_all(file.number(), path, most);
}

}  // namespace

std::optional<std::string> read_regular_file(const std::string& path, std::size_t most) {
  return read_checked(path, most, [](const struct stat& /*any owner*/) {});
}

std::optional<std::string> read_beginning(const std::string& path, std::size_t most) {
  const os::Descriptor file = open_at_once(path);
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  std::string content;
  if (!read_past(file.number(), most, content)) return std::nullopt;
  content.resize(std::min(content.size(), most));
  return content;
}

std::optional<std::string> read_project_file(const std::string& path, std::size_t most) {
  return read_checked(path, most, [&](const struct stat& status) { check_project_file(path, status); });
}

}  // namespace rv::trust
