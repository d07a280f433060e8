#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace rv::workers {

/// MD5 (RFC 1321): what the pages of published archives give to tell a whole download by. It is no defence against
/// somebody who means harm.
class Md5 {
 public:
  void add(std::string_view bytes);
  /// Of all that was added, as 32 hexadecimal digits; nothing can be added after it.
  std::string digest();

 private:
  void block(const char* bytes);

  std::array<std::uint32_t, 4> state_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  std::string rest_;
  std::uint64_t length_ = 0;
};

}  // namespace rv::workers
