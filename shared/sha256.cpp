#include "shared/sha256.h"

#include <algorithm>
#include <bit>
#include <initializer_list>

namespace rv {

namespace {

constexpr std::size_t block_size = 64;

// The first 32 bits of the fractions of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
constexpr std::array<std::uint32_t, 64> constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

Sha256 sum_of(std::initializer_list<std::string_view> parts) {
  Sha256 sum;
  for (const auto part : parts) sum.add(part);
  return sum;
}

}  // namespace

void Sha256::block(const unsigned char* data) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < 16; ++i) {
    w[i] = static_cast<std::uint32_t>(data[4 * i]) << 24 | static_cast<std::uint32_t>(data[4 * i + 1]) << 16 |
           static_cast<std::uint32_t>(data[4 * i + 2]) << 8 | static_cast<std::uint32_t>(data[4 * i + 3]);
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t a = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const std::uint32_t b = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + a + w[i - 7] + b;
  }
  std::array<std::uint32_t, 8> s = state_;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t e = std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25);
    const std::uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    const std::uint32_t first = s[7] + e + choice + constants[i] + w[i];
    const std::uint32_t a = std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22);
    const std::uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    s = {first + a + majority, s[0], s[1], s[2], s[3] + first, s[4], s[5], s[6]};
  }
  for (std::size_t i = 0; i < 8; ++i) state_[i] += s[i];
}

void Sha256::add(std::string_view bytes) {
  length_ += bytes.size();
  if (!rest_.empty()) {
    const std::size_t taken = std::min(block_size - rest_.size(), bytes.size());
    rest_ += bytes.substr(0, taken);
    bytes.remove_prefix(taken);
    if (rest_.size() < block_size) return;
    block(reinterpret_cast<const unsigned char*>(rest_.data()));
    rest_.clear();
  }
  for (; bytes.size() >= block_size; bytes.remove_prefix(block_size)) {
    block(reinterpret_cast<const unsigned char*>(bytes.data()));
  }
  rest_ = bytes;
}

std::string Sha256::bytes() {
  const std::uint64_t bits = length_ * 8;
  std::string end = "\x80";
  while ((rest_.size() + end.size()) % block_size != block_size - 8) end += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) end += static_cast<char>(bits >> shift & 0xff);
  add(end);
  std::string sum;
  for (const std::uint32_t word : state_) {
    for (int shift = 24; shift >= 0; shift -= 8) sum += static_cast<char>(word >> shift & 0xff);
  }
  return sum;
}

std::string Sha256::hex() {
  std::string digits;
  for (const char byte : bytes()) {
    digits += "0123456789abcdef"[static_cast<unsigned char>(byte) >> 4];
    digits += "0123456789abcdef"[byte & 0xf];
  }
  return digits;
}

std::string sha256_hex(std::string_view bytes) {
  return sum_of({bytes}).hex();
}

std::string hmac_sha256(std::string_view key, std::string_view message) {
  std::string block(key.size() > block_size ? sum_of({key}).bytes() : std::string(key));
  block.resize(block_size, '\0');
  std::string inner = block, outer = block;
  for (auto& byte : inner) byte = static_cast<char>(byte ^ 0x36);
  for (auto& byte : outer) byte = static_cast<char>(byte ^ 0x5c);
  return sum_of({outer, sum_of({inner, message}).bytes()}).hex();
}

}  // namespace rv
