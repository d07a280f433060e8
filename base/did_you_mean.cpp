#include "base/did_you_mean.h"

#include <fmt/format.h>

#include "base/nearest_word.h"

namespace rv {

std::string suggestion(std::string_view word, const std::vector<std::string>& known, std::string_view prefix) {
  const auto near = nearest_words(word, known, 1);
  return near.empty() ? std::string() : fmt::format("; did you mean \"{}{}\"?", prefix, near.front());
}

}  // namespace rv
