// What a word means, in colour, for those who see it.
#pragma once

#include <string>
#include <string_view>

namespace rv {

/// Never the only thing that says it. Blue, orange, purple and grey stay apart for colour-blind eyes, red and green
/// don't.
enum class Tone { plain, good, waiting, bad, quiet };

/// The parameters of the escape sequence: "38;5;39"; empty for plain.
std::string_view colour_code(Tone tone);

/// The text between the tone's colour and its end; as it is where `colour` is not wanted.
std::string coloured(std::string_view text, Tone tone, bool colour);

}  // namespace rv
