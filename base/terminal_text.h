// Removes control sequences from text of other programs before it is printed on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace rv {

/// One character of a UTF-8 text.
struct Character {
  std::string_view bytes;  // "?" for a byte that is not UTF-8: in other encodings single bytes are C1 controls
  char32_t code = 0;
};

/// Removes the first character of a text, which must not be empty, and returns it.
Character take_character(std::string_view& text);

/// Whether the character is C0, DEL, C1 (U+0080 to U+009F), a line separator, or changes the direction of writing.
bool is_control(char32_t code);

/// Whether a text has such a character.
bool has_control_character(std::string_view text);

/// Filters a stream of bytes. Newline, tab, carriage return and colours (ESC [ digits and semicolons m) pass. Other CSI
/// sequences are removed, so that progress bars stay readable. Any other control character and any byte that
/// is not UTF-8 becomes "?".
class TerminalFilter {
 public:
  enum class Cursor {
    stays,
    redraws,  // up (CSI n A), home (CSI H) and erase (CSI J, CSI K) pass, with which another rv redraws its lines
  };

  explicit TerminalFilter(Cursor cursor = Cursor::stays) : cursor_(cursor) {}

  /// Returns the text that can be printed now. An incomplete character or sequence is kept for the next call.
  std::string feed(std::string_view bytes);
  /// Returns the rest at the end of the stream.
  std::string finish();

 private:
  Cursor cursor_;
  std::string held_;
};

/// Filters a whole text.
std::string terminal_text(std::string_view text);

/// Replaces the signs that rv itself writes ("×", "→", "…", "µ", "≥", "≤", "–") by ASCII, for a terminal that does not
/// show UTF-8. Each takes one column, except "->", ">=" and "<=".
std::string ascii_signs(std::string text);

}  // namespace rv
