#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace rv::workers {

/// MD5 (RFC 1321), which the pages of published archives state so that a download can be checked. It does not protect
/// against malicious changes.
class Md5 {
 public:
  void add(std::string_view bytes);
  /// The digest of all bytes added, as 32 hexadecimal digits. Nothing can be added afterwards.
  std::string digest();

 private:
  void block(const char* bytes);

  std::array<std::uint32_t, 4> state_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  std::string rest_;
  std::uint64_t length_ = 0;
};

}  // namespace rv::workers
