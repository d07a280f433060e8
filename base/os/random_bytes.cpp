#include "base/os/random_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "shared/system/descriptor.h"

namespace rv::os {
namespace {

/// Fills from `next(rest)`, which says how many bytes came, as read(2) does.
template <typename Next>
bool fill(std::span<unsigned char> bytes, const Next& next) {
  while (!bytes.empty()) {
    const ssize_t count = next(bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

bool fill_randomly(std::span<unsigned char> bytes) {
  if (fill(bytes, [](auto rest) { return ::getrandom(rest.data(), rest.size(), 0); })) return true;
  if (errno != ENOSYS) return false;
  const Descriptor source(::open("/dev/urandom", O_RDONLY | O_CLOEXEC));
  return fill(bytes, [&](auto rest) { return ::read(source.number(), rest.data(), rest.size()); });
}

std::string random_hex(std::size_t bytes) {
  std::vector<unsigned char> random(bytes);
  if (!fill_randomly(random)) {
    throw Error(std::string("can't read random numbers: ") + std::strerror(errno),
                "check that /dev/urandom exists and is readable");
  }
  std::string text;
  for (const unsigned char byte : random) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace rv::os
