#include "shared/documents/document_excess.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace rv {
namespace {

std::string too_deep() {
  return "it is nested more than " + std::to_string(deepest_document) + " levels deep";
}

std::string too_large(std::size_t most) {
  return "it is larger than " + std::to_string(most >> 20) + " MiB";
}

class MsgpackReader {
 public:
  explicit MsgpackReader(std::string_view bytes) : bytes_(bytes) {}

  /// Reads one value's beginning and skips its own bytes; returns how many values it holds, nothing at the end.
  std::optional<std::uint64_t> next() {
    if (at_ >= bytes_.size()) return std::nullopt;
    const auto head = static_cast<unsigned char>(bytes_[at_++]);
    if (head <= 0x7f || head >= 0xe0 || head == 0xc0 || head == 0xc2 || head == 0xc3) return 0;
    if (head <= 0x8f) return 2 * (head & 0x0fU);
    if (head <= 0x9f) return head & 0x0fU;
    if (head <= 0xbf) return skip(head & 0x1fU);
    switch (head) {
      case 0xc4:  // binary
      case 0xd9:  // text
        return skip(number(1));
      case 0xc5:
      case 0xda:
        return skip(number(2));
      case 0xc6:
      case 0xdb:
        return skip(number(4));
      case 0xc7:  // extensions: length, then a type
        return skip(number(1) + 1);
      case 0xc8:
        return skip(number(2) + 1);
      case 0xc9:
        return skip(number(4) + 1);
      case 0xdc:
        return number(2);
      case 0xdd:
        return number(4);
      case 0xde:
        return 2 * number(2);
      case 0xdf:
        return 2 * number(4);
      default:
        return skip(fixed_size(head));
    }
  }

 private:
  static std::uint64_t fixed_size(unsigned char head) {
    if (head >= 0xd4 && head <= 0xd8) return 1 + (std::uint64_t{1} << (head - 0xd4U));  // fixed extensions
    if (head >= 0xcc && head <= 0xcf) return std::uint64_t{1} << (head - 0xccU);
    if (head >= 0xd0 && head <= 0xd3) return std::uint64_t{1} << (head - 0xd0U);
    if (head == 0xca) return 4;
    return head == 0xcb ? 8 : 0;
  }

  std::uint64_t skip(std::uint64_t length) {
    at_ = length > bytes_.size() - std::min(at_, bytes_.size()) ? bytes_.size() : at_ + length;
    return 0;
  }

  /// Big-endian.
  std::uint64_t number(std::size_t length) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < length && at_ < bytes_.size(); ++i) {
      value = value << 8U | static_cast<unsigned char>(bytes_[at_++]);
    }
    return value;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

/// The deepest nesting of brackets outside of strings in double quotes.
std::size_t bracket_depth(std::string_view text) {
  std::size_t depth = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '\\') ++at;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

/// Lists within lists on one line ("- - - a"), and the most columns of indentation before a line's text.
std::size_t indentation_depth(std::string_view text) {
  std::size_t deepest = 0;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    std::size_t dashes = 0;
    for (const char c : line) {
      if (c == '-' || c == '?' || c == ':') ++dashes;
      if (c != ' ' && c != '-' && c != '?' && c != ':') break;
    }
    deepest = std::max(deepest, dashes);
  }
  return deepest;
}

}  // namespace

std::string json_excess(std::string_view text) {
  if (text.size() > largest_document) return too_large(largest_document);
  return bracket_depth(text) > deepest_document ? too_deep() : "";
}

std::string msgpack_excess(std::string_view bytes) {
  if (bytes.size() > largest_document) return too_large(largest_document);
  MsgpackReader reader(bytes);
  std::vector<std::uint64_t> open{1};  // how many values each level still waits for
  while (!open.empty()) {
    if (open.back() == 0) {
      open.pop_back();
      continue;
    }
    --open.back();
    const auto held = reader.next();
    if (!held) return {};
    if (*held == 0) continue;
    open.push_back(*held);
    if (open.size() > deepest_document + 1) return too_deep();
  }
  return {};
}

std::string yaml_excess(std::string_view text) {
  if (text.size() > largest_yaml) return too_large(largest_yaml);
  // A quote need not open a string in YAML, so brackets are counted whatever is around them.
  std::size_t depth = 0, deepest = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    if ((c == ']' || c == '}') && depth > 0) --depth;
  }
  return std::max(deepest, indentation_depth(text)) > deepest_document ? too_deep() : "";
}

}  // namespace rv
