#include "cli/mcp/program_text.h"

#include <fmt/format.h>

#include "base/terminal_text.h"

namespace rv::mcp {
namespace {

/// Zero-width characters, soft hyphens, fillers, and variation selectors and tag characters, which can spell text that
/// a terminal does not show.
bool is_invisible(char32_t code) {
  const auto between = [code](char32_t first, char32_t last) { return code >= first && code <= last; };
  return between(0x200B, 0x200F) || between(0x2060, 0x2064) || code == 0xFEFF || between(0xE0000, 0xE0FFF) ||
         between(0xFE00, 0xFE0F) || between(0x115F, 0x1160) || between(0x180B, 0x180F) || between(0xFFF9, 0xFFFB) ||
         code == 0x034F || code == 0x061C || code == 0x00AD || code == 0x3164 || code == 0xFFA0;
}

}  // namespace

std::string plain_text(std::string_view text) {
  const std::string filtered = terminal_text(text);
  std::string_view rest = filtered;
  std::string plain;
  plain.reserve(rest.size());
  while (!rest.empty()) {
    if (rest.front() == '\x1b') {  // a colour, the only sequence that terminal_text() leaves in
      rest.remove_prefix(rest.find('m') + 1);
      continue;
    }
    const auto [bytes, code] = take_character(rest);
    if (is_invisible(code) || (code == U'\r' && rest.starts_with('\n'))) continue;
    plain += code == U'\r' ? "\n" : bytes;
  }
  return plain;
}

Json plain_document(const Json& document) {
  if (document.is_string()) return plain_text(document.get_ref<const std::string&>());
  if (document.is_array()) {
    Json list = Json::array();
    for (const auto& value : document) list.push_back(plain_document(value));
    return list;
  }
  if (!document.is_object()) return document;
  Json object = Json::object();
  for (const auto& [key, value] : document.items()) object[plain_text(key)] = plain_document(value);
  return object;
}

std::string_view last_part(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  const auto cut = text.size() - most;
  const auto line = text.find('\n', cut);
  return text.substr(line == std::string_view::npos || line + 1 == text.size() ? cut : line + 1);
}

std::string marked(std::string_view text, std::string_view mark) {
  return fmt::format("--- output of a program, {0} ---\n{1}{2}--- end of output {0} ---", mark, text,
                     text.empty() || text.ends_with('\n') ? "" : "\n");
}

}  // namespace rv::mcp
