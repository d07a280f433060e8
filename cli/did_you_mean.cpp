#include "cli/did_you_mean.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace rv::cli {

int edit_distance(std::string_view from, std::string_view to) {
  const std::size_t width = to.size() + 1;
  std::vector<int> before_last(width);
  std::vector<int> last(width);
  std::vector<int> row(width);
  for (std::size_t j = 0; j < width; ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= from.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j < width; ++j) {
      const int change = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({change, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[to.size()];
}

std::optional<std::string> did_you_mean(std::string_view word, std::span<const std::string> known) {
  const int enough = std::max(1, static_cast<int>(word.size()) / 3);
  std::optional<std::string> best;
  int best_distance = enough + 1;
  for (const std::string& candidate : known) {
    const int distance = edit_distance(word, candidate);
    // A word all of whose letters had to change is no slip ("a" for "b").
    if (distance >= static_cast<int>(std::max(word.size(), candidate.size()))) continue;
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string> known) {
  const std::optional<std::string> near = did_you_mean(word, known);
  return near ? fmt::format("; did you mean \"{}\"?", *near) : std::string();
}

}  // namespace rv::cli
