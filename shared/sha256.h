// SHA-256 (FIPS 180-4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rv {

class Sha256 {
 public:
  void add(std::string_view bytes);
  /// 32 bytes, of all that was added. Ends the object's life: add nothing afterwards.
  std::string bytes();
  /// The same as 64 lower-case hexadecimal digits.
  std::string hex();

 private:
  void block(const unsigned char* data);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::string rest_;  // less than a block
  std::uint64_t length_ = 0;
};

std::string sha256_hex(std::string_view bytes);

/// HMAC-SHA256 (RFC 2104) of `message` with `key`: 64 hexadecimal digits.
std::string hmac_sha256(std::string_view key, std::string_view message);

}  // namespace rv
