#include "slurm/hostlist.h"

#include "slurm/field.h"

namespace rv::slurm {
namespace {

// More hosts than any cluster has: a range that large is no range.
constexpr std::int64_t most_in_range = 1'000'000;

// "01-03,7" → 01 02 03 7; empty for a broken list.
std::vector<std::string> expand_ranges(std::string_view text) {
  std::vector<std::string> words;
  for (const auto part : split(text, ',')) {
    const auto dash = part.find('-');
    const auto first = parse_number(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse_number(part.substr(dash + 1));
    if (!first || !last || *last < *first || *last - *first > most_in_range) return {};
    const std::size_t width = part.substr(0, dash).size();
    for (auto number = *first; number <= *last; ++number) {
      auto digits = std::to_string(number);
      if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
      words.push_back(std::move(digits));
    }
  }
  return words;
}

std::vector<std::string> expand_word(std::string_view word) {
  const auto open = word.find('[');
  if (open == std::string_view::npos) return {std::string(word)};
  const auto close = word.find(']', open);
  if (close == std::string_view::npos) return {std::string(word)};
  const auto ranges = expand_ranges(word.substr(open + 1, close - open - 1));
  if (ranges.empty()) return {std::string(word)};
  std::vector<std::string> hosts;
  const auto tails = expand_word(word.substr(close + 1));
  for (const auto& range : ranges) {
    for (const auto& tail : tails) hosts.emplace_back(word.substr(0, open)).append(range).append(tail);
  }
  return hosts;
}

}  // namespace

std::vector<std::string> expand_hostlist(std::string_view list) {
  std::vector<std::string> hosts;
  if (is_nothing(list)) return hosts;
  for (const auto word : split_outside_brackets(list, ',')) {
    auto expanded = expand_word(word);
    hosts.insert(hosts.end(), std::make_move_iterator(expanded.begin()), std::make_move_iterator(expanded.end()));
  }
  return hosts;
}

}  // namespace rv::slurm
