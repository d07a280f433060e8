#include "monitor/elements.h"

#include <dirent.h>

#include <algorithm>
#include <charconv>

#include "monitor/atomic_file.h"

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

std::vector<Element> read_elements(const RunFolder& folder) {
  std::vector<Element> elements;
  DIR* directory = ::opendir(folder.file("elements").c_str());
  if (directory == nullptr) return elements;
  while (const dirent* entry = ::readdir(directory)) {
    const std::string_view name = entry->d_name;
    Element element;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), element.index);
    if (error != std::errc() || end != name.data() + name.size()) continue;
    const auto text = read_file(folder.file("elements/" + std::string(name) + "/exit"));
    if (text) element.exit = parse_exit_record(*text);
    elements.push_back(element);
  }
  ::closedir(directory);
  std::sort(elements.begin(), elements.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
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
