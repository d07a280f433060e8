#include "base/os/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/error.h"
#include "base/os/random_bytes.h"
#include "shared/system/descriptor.h"
#include "shared/system/write_all.h"

namespace rv::os {
namespace {

[[noreturn]] void fail(const std::string& doing, const std::string& path) {
  const int reason = errno;
  throw Error("can't " + doing + " " + path + ": " + std::strerror(reason),
              reason == ENOSPC || reason == EDQUOT
                  ? "free some space there, or set RV_HOME to a folder with room"
                  : "check the folder's permissions, or set RV_HOME to another folder");
}

constexpr std::string_view marker = ".tmp.";
constexpr int random_digits = 16;

// Several machines write to one folder, and their process IDs may be alike. Empty, with errno, without random numbers.
std::string temporary_name(const std::string& path) {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0 || host[0] == '\0') host = {"unknown"};
  std::array<unsigned char, random_digits / 2> random{};
  if (!fill_randomly(random)) return "";
  auto name = fmt::format("{}{}{}.{}.", path, marker, host.data(), ::getpid());
  for (const auto byte : random) name += fmt::format("{:02x}", byte);
  return name;
}

Descriptor create_new(const std::string& path, mode_t mode) {
  return Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
}

// A rename may reach the disk before the content, and a crash would leave an empty file under the final name.
bool store(int fd) {
  while (::fsync(fd) != 0) {
    if (errno == EINTR) continue;
    return errno == EINVAL || errno == ENOTSUP || errno == ENOSYS;  // a file system that has nothing to do for it
  }
  return true;
}

bool all_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

// A file system that writes late may say only at the close that there was no room.
bool fill(Descriptor& file, std::string_view content, bool stored) {
  return write_all(file.number(), content) && (!stored || store(file.number())) && file.close();
}

bool replace(const std::string& path, std::string_view content, mode_t mode, bool stored, bool with_umask = true) {
  constexpr int most_attempts = 10;
  for (int attempt = 1; attempt <= most_attempts; ++attempt) {
    const std::string temporary = temporary_name(path);
    if (temporary.empty()) return false;
    Descriptor file = create_new(temporary, mode);
    if (file.number() < 0 && errno == EEXIST) continue;
    if (file.number() < 0) return false;
    const bool permitted = with_umask || ::fchmod(file.number(), mode) == 0;
    if (permitted && fill(file, content, stored) && ::rename(temporary.c_str(), path.c_str()) == 0) return true;
    const int reason = errno;
    file.close();
    ::unlink(temporary.c_str());
    errno = reason;
    return false;
  }
  return false;
}

}  // namespace

void write_file(const std::string& path, std::string_view content, mode_t mode) {
  if (!replace(path, content, mode, true)) fail("write", path);
}

void publish_file(const std::string& path, std::string_view content, mode_t mode) {
  if (!replace(path, content, mode, true, /*with_umask=*/false)) fail("write", path);
}

bool replace_file(const std::string& path, std::string_view content) {
  return replace(path, content, 0600, false);
}

void store_names(const std::string& folder) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() >= 0) store(opened.number());
}

bool is_unfinished_file(std::string_view name) {
  constexpr std::string_view digits = "0123456789";
  const auto at = name.rfind(marker);
  if (at == std::string_view::npos || at == 0) return false;
  const auto rest = name.substr(at + marker.size());
  if (all_of(rest, digits)) return true;  // an older rv's: the process alone
  const auto random = rest.rfind('.');
  if (random == std::string_view::npos || random == 0) return false;
  const auto process = rest.rfind('.', random - 1);
  if (process == std::string_view::npos || process == 0) return false;
  return rest.size() - random - 1 == random_digits && all_of(rest.substr(random + 1), "0123456789abcdef") &&
         all_of(rest.substr(process + 1, random - process - 1), digits);
}

void write_new_file(const std::string& path, std::string_view content) {
  Descriptor file = create_new(path, 0600);
  if (file.number() < 0) fail("write", path);
  if (fill(file, content, true)) return;
  const int reason = errno;
  ::unlink(path.c_str());
  errno = reason;
  fail("write", path);
}

std::optional<std::string> read_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    fail("read", path);
  }
  std::string content;
  char buffer[65536];
  while (true) {
    const ssize_t count = ::read(file.number(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == ESRCH) return std::nullopt;  // a file of /proc: its process ended after the open
    if (count < 0) fail("read", path);
    if (count == 0) return content;
    content.append(buffer, static_cast<std::size_t>(count));
  }
}

void make_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return;
  const auto slash = path.rfind('/');
  if (errno != ENOENT || slash == std::string::npos || slash == 0) fail("create the folder", path);
  make_folder(path.substr(0, slash));
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) fail("create the folder", path);
}

}  // namespace rv::os
