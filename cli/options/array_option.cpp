#include "cli/options/array_option.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <set>
#include <string>

#include "base/error.h"

namespace rv::cli {
namespace {

// Slurm's own bound of MaxArraySize; a site's is lower, and sbatch says so.
constexpr int highest_index = 4'000'000;

[[noreturn]] void refuse(std::string_view text, const std::string& what) {
  throw Error(fmt::format("--array {}: {}", text, what), "write it like 0-99, 1,3,8-10, 0-20:5 or 0-99%8 (8 at a time)",
              ExitCode::usage);
}

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

/// Cuts off what stands before `mark`; all of it without one.
std::string_view next_part(std::string_view& rest, char mark, bool& more) {
  const auto end = rest.find(mark);
  const auto part = rest.substr(0, end);
  more = end != std::string_view::npos;
  rest.remove_prefix(more ? end + 1 : rest.size());
  return part;
}

}  // namespace

templates::JobArray parse_array(std::string_view text) {
  std::string_view rest = text;
  bool throttled = false;
  std::string_view list = next_part(rest, '%', throttled);
  const auto at_once = throttled ? number(rest) : 0;
  if (throttled) {
    if (!at_once || *at_once < 1) refuse(text, fmt::format("'{}' is no number of elements at a time", rest));
  }
  std::set<int> elements;
  for (bool more = true; more;) {
    std::string_view range = next_part(list, ',', more);
    bool stepped = false;
    bool ranged = false;
    std::string_view bounds = next_part(range, ':', stepped);
    const std::string_view whole = bounds;
    const auto first = number(next_part(bounds, '-', ranged));
    const auto last = ranged ? number(bounds) : first;
    const auto step = stepped ? number(range) : 1;
    if (!first || !last || !step || *step < 1 || (stepped && !ranged)) {
      refuse(text, fmt::format("'{}' is neither an index nor a range", whole));
    }
    if (*last < *first) refuse(text, fmt::format("the range {} goes backwards", whole));
    if (*last > highest_index) refuse(text, fmt::format("{} is above Slurm's highest index, {}", *last, highest_index));
    for (int index = *first; index <= *last; index += *step) elements.insert(index);
  }
  return {{elements.begin(), elements.end()}, *at_once, std::string(text)};
}

}  // namespace rv::cli
