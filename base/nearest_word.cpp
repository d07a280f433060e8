#include "base/nearest_word.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace rv {

int edit_distance(std::string_view from, std::string_view to) {
  // Three rows of the table are enough: this one, the one before, and the one before that for swaps.
  std::vector<int> older(to.size() + 1);
  std::vector<int> old(to.size() + 1);
  std::vector<int> now(to.size() + 1);
  for (std::size_t t = 0; t <= to.size(); ++t) now[t] = static_cast<int>(t);
  for (std::size_t f = 1; f <= from.size(); ++f) {
    std::swap(older, old);
    std::swap(old, now);
    now[0] = static_cast<int>(f);
    for (std::size_t t = 1; t <= to.size(); ++t) {
      const int change = old[t - 1] + (from[f - 1] == to[t - 1] ? 0 : 1);
      now[t] = std::min({change, old[t] + 1, now[t - 1] + 1});
      const bool swapped = f > 1 && t > 1 && from[f - 1] == to[t - 2] && from[f - 2] == to[t - 1];
      if (swapped) now[t] = std::min(now[t], older[t - 2] + 1);
    }
  }
  return now[to.size()];
}

std::vector<std::string> nearest_words(std::string_view word, const std::vector<std::string>& known, std::size_t most) {
  const std::string typed = lower(word);
  const int enough = std::max(1, static_cast<int>(typed.size()) / 3);
  std::vector<std::pair<int, std::string>> near;
  for (const std::string& candidate : known) {
    const std::string name = lower(candidate);
    if (name.empty() || typed.empty()) continue;
    const int distance = edit_distance(typed, name);
    const bool nothing_kept = distance >= static_cast<int>(std::max(typed.size(), name.size()));
    const bool begins = name.starts_with(typed) || typed.starts_with(name);
    if ((distance > enough || nothing_kept) && !begins) continue;
    if (std::none_of(near.begin(), near.end(), [&](const auto& other) { return other.second == candidate; })) {
      near.emplace_back(distance, candidate);
    }
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> words;
  for (auto& [distance, candidate] : near) {
    if (words.size() == most) break;
    words.push_back(std::move(candidate));
  }
  return words;
}

}  // namespace rv
