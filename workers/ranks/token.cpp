#include "workers/ranks/token.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "shared/system/descriptor.h"

namespace rv::workers {

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error("the kernel returned no random bytes");
  }
  std::string text;
  for (const auto byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

std::string token_from_file(const std::string& path) {
  const os::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) {
    throw std::invalid_argument(fmt::format("cannot read the token file {}: {}", path, strerror(errno)));
  }
  struct stat status {};
  std::array<char, 512> text{};
  ssize_t length = -1;
  const bool known = fstat(file.number(), &status) == 0;
  if (known) length = read(file.number(), text.data(), text.size());
  if (!known || length < 0) throw std::invalid_argument(fmt::format("cannot read the token file {}", path));
  if ((status.st_mode & 0077) != 0) {
    throw std::invalid_argument(fmt::format("other users can read the token file {}; run chmod 600 on it", path));
  }
  std::string token(text.data(), static_cast<std::size_t>(length));
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r' || token.back() == ' ')) token.pop_back();
  if (token.size() < 16) {
    throw std::invalid_argument(fmt::format("the token in {} must have at least 16 characters", path));
  }
  return token;
}

bool same_secret(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace rv::workers
