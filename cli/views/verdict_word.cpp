#include "cli/views/verdict_word.h"

#include "base/tone.h"

namespace rv::cli {

std::string verdict_word(Verdict verdict, bool colour) {
  const auto tone = verdict == Verdict::pass ? Tone::good : verdict == Verdict::skip ? Tone::waiting : Tone::bad;
  return coloured(to_string(verdict), tone, colour);
}

}  // namespace rv::cli
