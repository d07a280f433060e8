#include "workers/training/data/gzip.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace rv::workers {
namespace {

[[noreturn]] void damaged() {
  throw std::runtime_error("is damaged or cut off");
}

/// The bits of DEFLATE (RFC 1951), lowest of a byte first.
class Bits {
 public:
  explicit Bits(std::string_view bytes) : bytes_(bytes) {}
  std::uint32_t take(int count) {
    std::uint32_t value = 0;
    for (int i = 0; i < count; ++i) value |= bit() << i;
    return value;
  }
  std::uint32_t bit() {
    if (at_ / 8 >= bytes_.size()) damaged();
    const auto byte = static_cast<unsigned char>(bytes_[at_ / 8]);
    return byte >> (at_++ % 8) & 1U;
  }
  void to_next_byte() { at_ = (at_ + 7) / 8 * 8; }
  std::size_t byte() const { return at_ / 8; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

/// A canonical Huffman code, decoded bit by bit.
class Code {
 public:
  explicit Code(const std::vector<int>& lengths) {
    for (const auto length : lengths) ++counts_.at(static_cast<std::size_t>(length));
    counts_[0] = 0;
    std::array<std::size_t, 17> first{};
    for (std::size_t i = 1; i < 16; ++i) first[i + 1] = first[i] + counts_[i];
    symbols_.resize(lengths.size());
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] > 0) symbols_[first[static_cast<std::size_t>(lengths[symbol])]++] = static_cast<int>(symbol);
    }
  }
  int next(Bits& bits) const {
    std::size_t code = 0, first = 0, index = 0;
    for (std::size_t length = 1; length < 16; ++length) {
      code |= bits.bit();
      if (code < first + counts_[length]) return symbols_.at(index + code - first);
      index += counts_[length];
      first = (first + counts_[length]) << 1;
      code <<= 1;
    }
    damaged();
  }

 private:
  std::array<std::size_t, 16> counts_{};
  std::vector<int> symbols_;
};

constexpr int length_base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                               31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr int length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr int distance_base[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                 33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr int distance_bits[] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

/// The output so far.
class Unpacked {
 public:
  explicit Unpacked(std::size_t most) : most_(most) {}
  void add(char byte) {
    if (text_.size() >= most_) {
      throw std::runtime_error(fmt::format("unpacks to more than {} bytes", most_));
    }
    text_ += byte;
  }
  void repeat(std::size_t distance, int length) {
    if (distance > text_.size()) damaged();
    for (int i = 0; i < length; ++i) add(text_[text_.size() - distance]);
  }
  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::size_t most_;
};

void copy_coded(Bits& bits, const Code& literals, const Code& distances, Unpacked& out) {
  while (true) {
    const int symbol = literals.next(bits);
    if (symbol == 256) return;
    if (symbol < 256) {
      out.add(static_cast<char>(symbol));
      continue;
    }
    if (symbol > 285) damaged();
    const auto length = length_base[symbol - 257] + static_cast<int>(bits.take(length_bits[symbol - 257]));
    const int place = distances.next(bits);
    if (place > 29) damaged();
    const auto distance = static_cast<std::size_t>(distance_base[place]) + bits.take(distance_bits[place]);
    out.repeat(distance, length);
  }
}

void copy_with_own_codes(Bits& bits, Unpacked& out) {
  const auto literals = bits.take(5) + 257, distances = bits.take(5) + 1, codes = bits.take(4) + 4;
  constexpr std::size_t order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  std::vector<int> lengths(19, 0);
  for (std::size_t i = 0; i < codes; ++i) lengths[order[i]] = static_cast<int>(bits.take(3));
  const Code code(lengths);
  lengths.clear();
  while (lengths.size() < literals + distances) {
    const int symbol = code.next(bits);
    if (symbol < 16) {
      lengths.push_back(symbol);
      continue;
    }
    if (symbol == 16 && lengths.empty()) damaged();
    const int repeated = symbol == 16 ? lengths.back() : 0;
    const auto times = symbol == 16 ? 3 + bits.take(2) : symbol == 17 ? 3 + bits.take(3) : 11 + bits.take(7);
    lengths.insert(lengths.end(), times, repeated);
  }
  if (lengths.size() > literals + distances) damaged();
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(literals);
  copy_coded(bits, Code({lengths.begin(), middle}), Code({middle, lengths.end()}), out);
}

void copy_with_fixed_codes(Bits& bits, Unpacked& out) {
  std::vector<int> literals(288, 8);
  for (std::size_t i = 144; i < 256; ++i) literals[i] = 9;
  for (std::size_t i = 256; i < 280; ++i) literals[i] = 7;
  copy_coded(bits, Code(literals), Code(std::vector<int>(30, 5)), out);
}

std::uint32_t crc(std::string_view bytes) {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int k = 0; k < 8; ++k) value = (value & 1) != 0 ? value >> 1 ^ 0xedb88320U : value >> 1;
    table[i] = value;
  }
  std::uint32_t sum = 0xffffffffU;
  for (const char byte : bytes) sum = table[(sum ^ static_cast<unsigned char>(byte)) & 0xff] ^ sum >> 8;
  return ~sum;
}

std::size_t after_header(std::string_view bytes) {
  const auto at = [&](std::size_t i) {
    if (i >= bytes.size()) damaged();
    return static_cast<unsigned char>(bytes[i]);
  };
  if (at(0) != 0x1f || at(1) != 0x8b || at(2) != 8) throw std::runtime_error("is not a gzip file");
  const auto flags = at(3);
  std::size_t i = 10;
  if ((flags & 4) != 0) i += 2U + at(i) + at(i + 1) * 256U;
  for (const int name_or_comment : {8, 16}) {
    if ((flags & name_or_comment) == 0) continue;
    while (at(i) != 0) ++i;
    ++i;
  }
  return (flags & 2) != 0 ? i + 2 : i;
}

}  // namespace

std::string gunzip(std::string_view bytes, std::size_t most) {
  const auto begin = after_header(bytes);
  if (begin > bytes.size()) damaged();
  const auto body = bytes.substr(begin);
  Bits bits(body);
  Unpacked out(most);
  for (bool last = false; !last;) {
    last = bits.bit() != 0;
    const auto kind = bits.take(2);
    if (kind == 3) damaged();
    if (kind == 1) copy_with_fixed_codes(bits, out);
    if (kind == 2) copy_with_own_codes(bits, out);
    if (kind != 0) continue;
    bits.to_next_byte();
    const auto length = bits.take(16);
    if ((bits.take(16) ^ 0xffffU) != length) damaged();
    for (std::uint32_t i = 0; i < length; ++i) out.add(static_cast<char>(bits.take(8)));
  }
  bits.to_next_byte();
  if (bits.take(32) != crc(out.text())) damaged();
  return out.take();
}

}  // namespace rv::workers
