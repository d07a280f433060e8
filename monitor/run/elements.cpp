#include "monitor/run/elements.h"

#include <algorithm>
#include <map>

#include "shared/documents/json_integer.h"

namespace rv::monitor {
namespace {

// More than that nobody reads; rv show --json has them all.
constexpr std::size_t most_ranges = 8;

bool went_well(const ExitRecord& exit) {
  return exit.code == 0 && exit.kind == ExitKind::exited;
}

const Element* find(const std::vector<Element>& elements, int index) {
  const auto at = std::lower_bound(elements.begin(), elements.end(), index,
                                   [](const Element& element, int wanted) { return element.index < wanted; });
  return at == elements.end() || at->index != index ? nullptr : &*at;
}

}  // namespace

std::vector<Element> elements_of(const ElementLedgers& ledgers, const std::vector<Entry>& retries) {
  std::map<int, int> wanted;
  for (const auto& retry : retries) {
    if (!retry.more.is_object()) continue;
    for (const int index : integers_or_none<int>(retry.more, "elements")) wanted[index] = retry.attempt;
  }
  std::vector<Element> elements;
  for (const auto& [index, entries] : ledgers) {
    const auto attempt = wanted.find(index);
    const auto standing = element_standing(entries, attempt == wanted.end() ? 1 : attempt->second);
    if (!standing.start && !standing.exit) continue;
    elements.push_back({.index = index, .start = standing.start, .exit = exit_record(standing.exit)});
  }
  return elements;
}

std::optional<ExitRecord> end_of_all(const std::vector<Element>& elements, const std::vector<int>& indices) {
  std::optional<ExitRecord> all;
  TimePoint last;
  for (const int index : indices) {
    const auto* element = find(elements, index);
    if (element == nullptr || !element->exit) return std::nullopt;
    last = std::max(last, element->exit->time);
    if (!all || (went_well(*all) && !went_well(*element->exit))) all = element->exit;
  }
  if (all) all->time = last;
  return all;
}

std::string index_ranges(const std::vector<int>& indices) {
  std::string text;
  std::size_t ranges = 0;
  for (std::size_t i = 0; i < indices.size();) {
    std::size_t last = i;
    while (last + 1 < indices.size() && indices[last + 1] == indices[last] + 1) ++last;
    if (++ranges > most_ranges) return text + ", …";
    text += (text.empty() ? "" : ", ") + std::to_string(indices[i]);
    if (last > i) text += (last == i + 1 ? ", " : "-") + std::to_string(indices[last]);
    i = last + 1;
  }
  return text;
}

std::string element_words(const std::vector<Element>& elements, const std::vector<int>& indices) {
  int well = 0;
  std::vector<int> bad;
  for (const int index : indices) {
    const auto* element = find(elements, index);
    if (element == nullptr || !element->exit) continue;
    if (went_well(*element->exit)) {
      ++well;
    } else {
      bad.push_back(index);
    }
  }
  std::string text = std::to_string(well) + " of " + std::to_string(indices.size()) + " elements done";
  if (!bad.empty()) text += ", " + std::to_string(bad.size()) + " failed (" + index_ranges(bad) + ")";
  return text;
}

std::string without_end(const std::vector<Element>& elements, const std::vector<int>& indices) {
  std::vector<int> missing;
  for (const int index : indices) {
    const auto* element = find(elements, index);
    if (element == nullptr || !element->exit) missing.push_back(index);
  }
  return index_ranges(missing);
}

}  // namespace rv::monitor
