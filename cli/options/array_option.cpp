#include "cli/options/array_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>

#include "base/error.h"
#include "base/wrong_value.h"
#include "cli/options/value_option.h"
#include "monitor/run/elements.h"
#include "shared/number.h"

namespace rv::cli {
namespace {

// Slurm's own bound of MaxArraySize; a site's limit is lower, and sbatch reports it.
constexpr int highest_index = 4'000'000;

[[noreturn]] void refuse(std::string_view option, std::string_view text, const std::string& expected) {
  const bool array = option == "--array";
  throw wrong_value(
      option, text, expected,
      fmt::format("write it like 0-99, 1,3,8-10{}", array ? ", 0-20:5 or 0-99%8 (8 at a time)" : " or 0-20:5"));
}

std::optional<int> number(std::string_view text) {
  return number_in<int>(text, 0);
}

/// Cuts off what stands before `mark`; all of it without one.
std::string_view next_part(std::string_view& rest, char mark, bool& more) {
  const auto end = rest.find(mark);
  const auto part = rest.substr(0, end);
  more = end != std::string_view::npos;
  rest.remove_prefix(more ? end + 1 : rest.size());
  return part;
}

/// "0-20:5,7". `whole`: the option's text, for messages.
std::set<int> parse_indices(std::string_view option, std::string_view list, std::string_view whole) {
  std::set<int> elements;
  for (bool more = true; more;) {
    std::string_view range = next_part(list, ',', more);
    bool stepped = false;
    bool ranged = false;
    std::string_view bounds = next_part(range, ':', stepped);
    const std::string_view part = bounds;
    const auto first = number(next_part(bounds, '-', ranged));
    const auto last = ranged ? number(bounds) : first;
    const auto step = stepped ? number(range) : 1;
    if (!first || !last || !step || *step < 1 || (stepped && !ranged)) {
      refuse(option, whole, fmt::format("an index or a range, not '{}'", part));
    }
    if (*last < *first) refuse(option, whole, fmt::format("an ascending range, not '{}'", part));
    if (*last > highest_index) {
      refuse(option, whole, fmt::format("indices up to {}, Slurm's highest, not {}", highest_index, *last));
    }
    for (int index = *first; index <= *last; index += *step) elements.insert(index);
  }
  return elements;
}

}  // namespace

templates::JobArray parse_array(std::string_view text) {
  std::string_view rest = text;
  bool throttled = false;
  const std::string_view list = next_part(rest, '%', throttled);
  const auto at_once = throttled ? number(rest) : 0;
  if (throttled && (!at_once || *at_once < 1)) {
    refuse("--array", text, fmt::format("a number of elements after '%', not '{}'", rest));
  }
  const auto elements = parse_indices("--array", list, text);
  return {{elements.begin(), elements.end()}, *at_once, std::string(text)};
}

CommandOption add_element_option(CLI::App& command, Elements& elements, const std::string& description) {
  const auto read = [](std::string_view option, std::string_view text) {
    const auto indices = parse_indices(option, text, text);
    return std::vector<int>(indices.begin(), indices.end());
  };
  return add_value(command, "--element", elements, read, description).type_name("LIST");
}

void check_elements(const monitor::RunRecord& run, const std::vector<int>& elements) {
  if (!run.job.array) {
    throw Error(fmt::format("--element: run {} is not an array", run.id),
                fmt::format("rv show {} shows what it is", run.id), ExitCode::usage);
  }
  const auto& all = run.job.array->elements;
  std::vector<int> missing;
  std::set_difference(elements.begin(), elements.end(), all.begin(), all.end(), std::back_inserter(missing));
  if (missing.empty()) return;
  throw Error(fmt::format("run {} has no element {}", run.id, monitor::index_ranges(missing)),
              fmt::format("its elements are {}", monitor::index_ranges(all)), ExitCode::usage);
}

Elements element_of_job(const std::string& word, const monitor::RunRecord& run) {
  const auto mark = word.find('_');
  if (mark == std::string::npos || word == run.id || word == run.name || !run.job.array) return std::nullopt;
  const auto index = number(std::string_view(word).substr(mark + 1));
  if (!number(std::string_view(word).substr(0, mark)) || !index) return std::nullopt;
  return std::vector{*index};
}

}  // namespace rv::cli
