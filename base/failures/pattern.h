// Message patterns, and excerpts of the lines that match them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace rv::failures {

/// Matches a pattern whose parts are separated by "*". Returns the offset of the first part if the text has all parts
/// in this order. After a leading "^" the first part must be at the beginning of the text. Case matters.
std::optional<std::size_t> find_pattern(std::string_view pattern, std::string_view text);

/// Returns up to `most` bytes of the line around the message at offset `at`, without a progress bar before it.
std::string excerpt(std::string_view line, std::size_t at, std::size_t most);

/// Calls `take(piece)` for each part of a line between carriage returns, with which progress bars overwrite themselves.
/// Empty parts are left out.
template <class Take>
void for_each_piece(std::string_view line, Take take) {
  while (true) {
    const auto end = line.find('\r');
    if (const auto piece = line.substr(0, end); !piece.empty()) take(piece);
    if (end == std::string_view::npos) return;
    line.remove_prefix(end + 1);
  }
}

}  // namespace rv::failures
