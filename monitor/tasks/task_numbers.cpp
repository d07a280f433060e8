#include "monitor/tasks/task_numbers.h"

#include <algorithm>

#include "shared/number.h"

namespace rv::monitor {

std::string numbers_text(std::vector<int> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::string text;
  for (std::size_t first = 0; first < numbers.size();) {
    std::size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(numbers[first]);
    if (last > first) text.append("-").append(std::to_string(numbers[last]));
    first = last + 1;
  }
  return text.empty() ? "-" : text;
}

std::optional<std::vector<int>> numbers_in(std::string_view text, int most) {
  std::vector<int> numbers;
  if (text == "-") return numbers;
  while (true) {
    const auto comma = text.find(',');
    const auto part = text.substr(0, comma);
    const auto dash = part.find('-');
    const auto first = number_in<int>(part.substr(0, dash), 1, most);
    const auto last = dash == std::string_view::npos ? first : number_in<int>(part.substr(dash + 1), 1, most);
    if (!first || !last || *last < *first) return std::nullopt;
    for (int number = *first; number <= *last; ++number) numbers.push_back(number);
    if (comma == std::string_view::npos) return numbers;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace rv::monitor
