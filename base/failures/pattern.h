// Patterns of messages, and the part of a line that shows one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace rv::failures {

/// Returns the offset of the first part where the text has the parts of `pattern`, which "*" separates, in this order.
/// A pattern that begins with "^" has its first part at the beginning of the text. Case matters.
std::optional<std::size_t> find_pattern(std::string_view pattern, std::string_view text);

/// At most `most` bytes of the line that show the message at `at`: a progress bar before it is left out.
std::string excerpt(std::string_view line, std::size_t at, std::size_t most);

/// The pieces of a line between carriage returns, by which progress bars overwrite themselves. Empty ones are left out.
/// Calls `take(piece)` for each.
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
