#include "base/tone.h"

namespace rv {

std::string_view colour_code(Tone tone) {
  // Of the 256 colours; they differ in lightness as well.
  switch (tone) {
    case Tone::plain:
      return "";
    case Tone::good:
      return "38;5;39";
    case Tone::waiting:
      return "38;5;214";
    case Tone::bad:
      return "1;38;5;170";
    case Tone::quiet:
      return "38;5;245";
  }
  return "";
}

std::string coloured(std::string_view text, Tone tone, bool colour) {
  if (!colour || tone == Tone::plain) return std::string(text);
  return "\033[" + std::string(colour_code(tone)) + "m" + std::string(text) + "\033[0m";
}

}  // namespace rv
