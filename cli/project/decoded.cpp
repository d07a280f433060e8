#include "cli/project/decoded.h"

#include <array>
#include <cstdint>

#include "base/text.h"

namespace rv::project {
namespace {

using Bytes = std::string_view;

std::uint32_t unit_at(Bytes bytes, std::size_t at, std::size_t width, bool big) {
  std::uint32_t unit = 0;
  for (std::size_t i = 0; i < width; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[at + (big ? i : width - 1 - i)]);
    unit = unit << 8U | byte;
  }
  return unit;
}

std::string from_utf16(Bytes bytes, bool big) {
  std::string out;
  for (std::size_t at = 0; at + 2 <= bytes.size(); at += 2) {
    std::uint32_t unit = unit_at(bytes, at, 2, big);
    const bool pair = unit >= 0xD800 && unit < 0xDC00 && at + 4 <= bytes.size();
    const std::uint32_t low = pair ? unit_at(bytes, at + 2, 2, big) : 0;
    if (low >= 0xDC00 && low < 0xE000) {
      unit = 0x10000 + ((unit - 0xD800) << 10U) + (low - 0xDC00);
      at += 2;
    }
    append_utf8(out, unit);
  }
  return out;
}

std::string from_utf32(Bytes bytes, bool big) {
  std::string out;
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) append_utf8(out, unit_at(bytes, at, 4, big));
  return out;
}

/// The name behind "coding:" or "coding=" in a comment of the first two lines, in lower case.
std::string named_encoding(Bytes bytes) {
  for (int line = 0; line < 2; ++line) {
    const auto text = bytes.substr(0, bytes.find('\n'));
    const auto coding = text.find("coding");
    if (text.starts_with('#') && coding != Bytes::npos) {
      auto name = text.substr(coding + 6);
      if (name.starts_with(':') || name.starts_with('=')) {
        name.remove_prefix(1);
        while (name.starts_with(' ')) name.remove_prefix(1);
        return lower(name.substr(0, name.find_first_of(" \t\r;")));
      }
    }
    if (text.size() == bytes.size()) return "";
    bytes.remove_prefix(text.size() + 1);
  }
  return "";
}

}  // namespace

void append_utf8(std::string& out, std::uint32_t point) {
  constexpr std::uint32_t replacement = 0xFFFD;
  if (point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) point = replacement;
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (point < 0x80) return put(point);
  if (point < 0x800) {
    put(0xC0U | point >> 6U);
  } else {
    if (point < 0x10000) {
      put(0xE0U | point >> 12U);
    } else {
      put(0xF0U | point >> 18U);
      put(0x80U | (point >> 12U & 0x3FU));
    }
    put(0x80U | (point >> 6U & 0x3FU));
  }
  put(0x80U | (point & 0x3FU));
}

std::string decoded(std::string_view bytes) {
  // UTF-32's mark begins with UTF-16's.
  if (bytes.starts_with(Bytes("\xff\xfe\0\0", 4))) return from_utf32(bytes.substr(4), false);
  if (bytes.starts_with(Bytes("\0\0\xfe\xff", 4))) return from_utf32(bytes.substr(4), true);
  if (bytes.starts_with("\xff\xfe")) return from_utf16(bytes.substr(2), false);
  if (bytes.starts_with("\xfe\xff")) return from_utf16(bytes.substr(2), true);
  if (bytes.starts_with("\xef\xbb\xbf")) return std::string(bytes.substr(3));
  const auto name = named_encoding(bytes);
  if (name != "latin-1" && name != "latin1" && name != "iso-8859-1" && name != "iso8859-1") return std::string(bytes);
  std::string out;
  for (const char byte : bytes) append_utf8(out, static_cast<unsigned char>(byte));
  return out;
}

}  // namespace rv::project
