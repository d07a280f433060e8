// Text from elsewhere on its way to a terminal: what is printed there must not control it.
#pragma once

#include <string>
#include <string_view>

namespace rv {

/// One character of a UTF-8 text.
struct Character {
  std::string_view bytes;  // "?" for a byte that is not UTF-8: C1 controls are single bytes in other encodings
  char32_t code = 0;
};

/// Takes the first character off a text that is not empty.
Character take_character(std::string_view& text);

/// C0, DEL, C1 (U+0080 to U+009F), line separators, and what turns the direction of writing around.
bool is_control(char32_t code);

/// Whether a text has one of these.
bool has_control_character(std::string_view text);

/// Filters a stream of bytes. Newline, tab, carriage return and colours (ESC [ digits and semicolons m) pass. Other CSI
/// sequences are left out: what is left of a progress bar stays readable. Any other control character and any byte that
/// is not UTF-8 becomes "?".
class TerminalFilter {
 public:
  enum class Cursor {
    stays,
    redraws,  // up (CSI n A), home (CSI H) and erase (CSI J, CSI K) pass: so another rv redraws its lines
  };

  explicit TerminalFilter(Cursor cursor = Cursor::stays) : cursor_(cursor) {}

  /// Returns what may be printed now. A character or sequence that is cut off is held back.
  std::string feed(std::string_view bytes);
  /// Returns the rest at the end of the stream.
  std::string finish();

 private:
  Cursor cursor_;
  std::string held_;
};

/// The same for a whole text.
std::string terminal_text(std::string_view text);

/// The signs that rv itself writes ("×", "→", "…", "µ", "≥", "≤", "–") in ASCII, for a terminal whose characters are
/// not UTF-8. Each takes one column but "->", ">=" and "<=".
std::string ascii_signs(std::string text);

}  // namespace rv
