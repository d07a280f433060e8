#include "base/terminal_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace rv {
namespace {

constexpr char escape = '\x1b';
constexpr std::size_t longest_sequence = 64;

/// By its first byte; 0 for one that begins no character.
std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (first >= 0xE0 && first <= 0xEF) return 3;
  return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// The beginning of a character whose other bytes may still come.
bool is_cut_off(std::string_view text) {
  const auto length = length_of(static_cast<unsigned char>(text.front()));
  return length > text.size() && std::all_of(text.begin() + 1, text.end(), is_continuation);
}

/// "ESC [ parameters final": its length; 0 if it is none; nothing while it may still become one.
std::optional<std::size_t> csi_length(std::string_view text) {
  if (text.size() > 1 && text[1] != '[') return 0;
  for (std::size_t i = 2; i < std::min(text.size(), longest_sequence); ++i) {
    if (text[i] >= 0x40 && text[i] <= 0x7E) return i + 1;
    if (text[i] < 0x20 || text[i] > 0x3F) return 0;
  }
  return text.size() < longest_sequence ? std::nullopt : std::optional<std::size_t>(0);
}

bool is_colour(std::string_view sequence) {
  const auto parameters = sequence.substr(2, sequence.size() - 3);
  return sequence.back() == 'm' && parameters.find_first_not_of("0123456789;") == std::string_view::npos;
}

bool redraws(std::string_view sequence) {
  const auto parameters = sequence.substr(2, sequence.size() - 3);
  const char final = sequence.back();
  if (final == 'H' || final == 'J' || final == 'K') return parameters.empty();
  return final == 'A' && parameters.size() <= 3 && parameters.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Takes off `left` what can be decided; the rest stays in it.
std::string filtered(std::string_view& left, TerminalFilter::Cursor cursor, bool at_end) {
  std::string out;
  while (!left.empty()) {
    if (left.front() == escape) {
      const auto length = csi_length(left);
      if (!length && !at_end) break;
      if (length.value_or(0) > 0) {
        const auto sequence = left.substr(0, *length);
        if (is_colour(sequence) || (cursor == TerminalFilter::Cursor::redraws && redraws(sequence))) out += sequence;
        left.remove_prefix(*length);
        continue;
      }
    }
    if (is_cut_off(left) && !at_end) break;
    const auto [bytes, code] = take_character(left);
    const bool kept = !is_control(code) || code == U'\n' || code == U'\t' || code == U'\r';
    out += kept ? bytes : "?";
  }
  return out;
}

}  // namespace

Character take_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const auto length = length_of(first);
  char32_t code = length == 1 ? first : first & (0xFFU >> (length + 1));
  bool whole = length > 0 && length <= text.size();
  for (std::size_t i = 1; whole && i < length; ++i) {
    whole = is_continuation(text[i]);
    code = code << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  // A longer form than needed, and the halves of UTF-16.
  if ((length == 3 && code < 0x800) || (length == 4 && (code < 0x10000 || code > 0x10FFFF))) whole = false;
  if (code >= 0xD800 && code <= 0xDFFF) whole = false;
  const Character character{whole ? text.substr(0, length) : std::string_view("?"), whole ? code : U'?'};
  text.remove_prefix(whole ? length : 1);
  return character;
}

bool is_control(char32_t code) {
  const auto between = [code](char32_t first, char32_t last) { return code >= first && code <= last; };
  return code < 0x20 || between(0x7F, 0x9F) || between(0x2028, 0x202E) || between(0x2066, 0x2069);
}

bool has_control_character(std::string_view text) {
  while (!text.empty()) {
    if (is_control(take_character(text).code)) return true;
  }
  return false;
}

std::string TerminalFilter::feed(std::string_view bytes) {
  held_ += bytes;
  std::string_view left = held_;
  auto out = filtered(left, cursor_, false);
  held_.erase(0, held_.size() - left.size());
  return out;
}

std::string TerminalFilter::finish() {
  std::string_view left = held_;
  auto out = filtered(left, cursor_, true);
  held_.clear();
  return out;
}

std::string ascii_signs(std::string text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> signs{
      {{"×", "x"}, {"→", "->"}, {"…", "~"}, {"µ", "u"}, {"≥", ">="}, {"≤", "<="}, {"–", "-"}}};
  for (const auto& [sign, ascii] : signs) {
    for (auto at = text.find(sign); at != std::string::npos; at = text.find(sign, at + ascii.size())) {
      text.replace(at, sign.size(), ascii);
    }
  }
  return text;
}

std::string terminal_text(std::string_view text) {
  return filtered(text, TerminalFilter::Cursor::stays, true);
}

}  // namespace rv
