#include "cli/did_you_mean.h"

#include <fmt/format.h>

#include "planner/nearest_word.h"

namespace rv::cli {

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const auto near = planner::nearest_words(word, known, 1);
  return near.empty() ? std::string() : fmt::format("; did you mean \"{}\"?", near.front());
}

}  // namespace rv::cli
