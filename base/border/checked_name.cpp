#include "base/border/checked_name.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/terminal_text.h"

namespace rv {

namespace {

constexpr std::string_view advice = "another machine supplied it, and rv did not use it";

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// 1 to `longest` letters, digits and `others`; the first is a letter, a digit or an underscore.
bool is_word(std::string_view text, std::size_t longest, std::string_view others) {
  if (text.empty() || text.size() > longest) return false;
  if (!is_letter_or_digit(text.front()) && text.front() != '_') return false;
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_letter_or_digit(c) || others.find(c) != std::string_view::npos; });
}

}  // namespace

const NameRule run_id_rule{
    .what = "run ID", .expected = "up to 16 of a-z and 0-9", .allows = [](std::string_view text) {
      return is_word(text, 16, "") &&
             std::none_of(text.begin(), text.end(), [](char c) { return c == '_' || (c >= 'A' && c <= 'Z'); });
    }};
const NameRule user_name_rule{.what = "user name",
                              .expected = "letters, digits and . _ - @",
                              .allows = [](std::string_view text) { return is_word(text, 255, "._-@"); }};
const NameRule host_name_rule{.what = "host name",
                              .expected = "letters, digits and . _ -",
                              .allows = [](std::string_view text) { return is_word(text, 255, "._-"); }};
const NameRule run_name_rule{
    .what = "run name", .expected = "up to 1024 bytes without control characters", .allows = [](std::string_view text) {
      return text.size() <= 1024 && !has_control_character(text);
    }};

std::string printable(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string out;
  for (const char c : text) {
    if (out.size() >= longest) return out + "...";
    const auto byte = static_cast<unsigned char>(c);
    out += byte >= 0x20 && byte < 0x7f ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return out;
}

void check_name(const NameRule& rule, std::string_view text) {
  if (rule.allows(text)) return;
  throw Error(fmt::format("invalid {} '{}': expected {}", rule.what, printable(text), rule.expected),
              std::string(advice));
}

int checked_port(long long number) {
  if (number >= 1 && number <= 65535) return static_cast<int>(number);
  throw Error(fmt::format("invalid port {}: expected 1 to 65535", number), std::string(advice));
}

}  // namespace rv
