// Colours for the meaning of a cell.
#pragma once

#include <string>
#include <string_view>

namespace rv {

/// A colour only repeats what the text says. Colour-blind users can tell blue, orange, purple and grey apart, but not
/// red and green.
enum class Tone { plain, good, waiting, bad, quiet };

/// Returns the parameters of the escape sequence: "38;5;39"; empty for plain.
std::string_view colour_code(Tone tone);

/// Returns the text with the tone's escape sequences around it; unchanged unless `colour`.
std::string coloured(std::string_view text, Tone tone, bool colour);

}  // namespace rv
