#include "base/did_you_mean.h"

#include <fmt/format.h>

#include "base/nearest_word.h"
#include "base/text.h"

namespace rv {

std::string suggestion(std::string_view word, const std::vector<std::string>& known, std::string_view prefix) {
  const auto near = nearest_words(word, known, 2);
  if (near.empty()) return "";
  const auto distance = [typed = lower(word)](std::string_view name) { return edit_distance(typed, lower(name)); };
  std::string meant = fmt::format("\"{}{}\"", prefix, near[0]);
  // "gpu" and "gpus" are two names of one option.
  const bool differ = near.size() > 1 && !near[1].starts_with(near[0]) && !near[0].starts_with(near[1]);
  if (differ && distance(near[1]) == distance(near[0])) meant += fmt::format(" or \"{}{}\"", prefix, near[1]);
  return fmt::format("; did you mean {}?", meant);
}

}  // namespace rv
