#include "base/failures/pattern.h"

namespace rv::failures {

std::optional<std::size_t> find_pattern(std::string_view pattern, std::string_view text) {
  const bool at_beginning = pattern.starts_with('^');
  if (at_beginning) pattern.remove_prefix(1);
  std::optional<std::size_t> begin;
  std::size_t from = 0;
  while (true) {
    const auto star = pattern.find('*');
    const auto part = pattern.substr(0, star);
    const auto at = text.find(part, from);
    if (at == std::string_view::npos) return std::nullopt;
    if (!begin) begin = at;
    if (at_beginning && *begin != 0) return std::nullopt;
    if (star == std::string_view::npos) return begin;
    from = at + part.size();
    pattern.remove_prefix(star + 1);
  }
}

std::string excerpt(std::string_view line, std::size_t at, std::size_t most) {
  constexpr std::size_t before = 60;  // a rank, a time, the exception's name
  if (line.size() > most && at > before) {
    auto from = at - before;
    // Not within a character.
    while (from < at && (static_cast<unsigned char>(line[from]) & 0xC0U) == 0x80U) ++from;
    line.remove_prefix(from);
  }
  return std::string(line.substr(0, most));
}

}  // namespace rv::failures
