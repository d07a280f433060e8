#include "workers/training/data/md5.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace rv::workers {
namespace {

/// The table T of RFC 1321: ⌊2³² |sin i|⌋.
std::array<std::uint32_t, 64> table() {
  std::array<std::uint32_t, 64> sines{};
  for (std::size_t i = 0; i < 64; ++i) {
    sines[i] = static_cast<std::uint32_t>(std::abs(std::sin(static_cast<double>(i + 1))) * 4294967296.0);
  }
  return sines;
}

constexpr int rotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

}  // namespace

void Md5::block(const char* bytes) {
  static const auto sines = table();
  std::array<std::uint32_t, 16> words{};
  for (std::size_t i = 0; i < 64; ++i) {
    words[i / 4] |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (i % 4 * 8);
  }
  auto [a, b, c, d] = state_;
  for (std::size_t i = 0; i < 64; ++i) {
    std::uint32_t mixed = 0;
    std::size_t word = 0;
    switch (i / 16) {
      case 0:
        mixed = (b & c) | (~b & d), word = i;
        break;
      case 1:
        mixed = (b & d) | (c & ~d), word = (5 * i + 1) % 16;
        break;
      case 2:
        mixed = b ^ c ^ d, word = (3 * i + 5) % 16;
        break;
      default:
        mixed = c ^ (b | ~d), word = 7 * i % 16;
        break;
    }
    const auto turned = std::rotl(a + mixed + words[word] + sines[i], rotations[i / 16][i % 4]);
    a = d, d = c, c = b, b += turned;
  }
  state_[0] += a, state_[1] += b, state_[2] += c, state_[3] += d;
}

void Md5::add(std::string_view bytes) {
  length_ += bytes.size();
  if (!rest_.empty()) {
    const auto missing = std::min<std::size_t>(64 - rest_.size(), bytes.size());
    rest_.append(bytes.substr(0, missing));
    bytes.remove_prefix(missing);
    if (rest_.size() < 64) return;
    block(rest_.data());
    rest_.clear();
  }
  for (; bytes.size() >= 64; bytes.remove_prefix(64)) block(bytes.data());
  rest_ = bytes;
}

std::string Md5::digest() {
  const auto bits = length_ * 8;
  std::string end(1 + (119 - length_ % 64) % 64, '\0');
  end[0] = static_cast<char>(0x80);
  for (int i = 0; i < 8; ++i) end += static_cast<char>(bits >> (8 * i));
  add(end);
  std::string digits;
  for (const auto word : state_) {
    for (int i = 0; i < 4; ++i) digits += fmt::format("{:02x}", word >> (8 * i) & 0xff);
  }
  return digits;
}

}  // namespace rv::workers
