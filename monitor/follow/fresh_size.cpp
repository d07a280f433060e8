#include "monitor/follow/fresh_size.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace rv::monitor {
namespace {

std::optional<long long> size_of(int folder, const char* name, int flags) {
  struct statx status = {};
  if (::statx(folder, name, flags | AT_STATX_FORCE_SYNC, STATX_SIZE, &status) == 0) {
    return static_cast<long long>(status.stx_size);
  }
  // Linux before 4.11 has no statx.
  struct stat plain = {};
  if (::fstatat(folder, name, &plain, flags) != 0) return std::nullopt;
  return static_cast<long long>(plain.st_size);
}

}  // namespace

std::optional<long long> fresh_size(int fd) {
  return size_of(fd, "", AT_EMPTY_PATH);
}

std::optional<long long> fresh_size(int folder, const std::string& name) {
  return size_of(folder, name.c_str(), 0);
}

}  // namespace rv::monitor
