#include "monitor/run/elements.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "shared/documents/json_integer.h"

namespace rv::monitor {
namespace {

// More than that nobody reads; rv show --json has them all.
constexpr std::size_t most_ranges = 8;

bool went_well(const ExitRecord& exit) {
  return exit.code == 0 && exit.kind == ExitKind::exited;
}

int badness(const ExitRecord& exit) {
  if (went_well(exit)) return 0;
  return exit.kind == ExitKind::stopped ? 1 : 2;
}

}  // namespace

std::string_view to_string(ElementState state) {
  switch (state) {
    case ElementState::queued:
      return "queued";
    case ElementState::running:
      return "running";
    case ElementState::done:
      return "done";
    case ElementState::failed:
      return "failed";
    case ElementState::stopped:
      return "stopped";
    case ElementState::lost:
      return "lost";
    case ElementState::not_started:
      return "not started";
  }
  return "lost";
}

bool has_failed(const Element& element) {
  return element.exit && !went_well(*element.exit) && element.exit->kind != ExitKind::stopped;
}

const Element* find_element(const std::vector<Element>& elements, int index) {
  const auto at = std::lower_bound(elements.begin(), elements.end(), index,
                                   [](const Element& element, int wanted) { return element.index < wanted; });
  return at == elements.end() || at->index != index ? nullptr : &*at;
}

ElementState element_state(const Element* element, bool over) {
  if (element == nullptr) return over ? ElementState::not_started : ElementState::queued;
  if (!element->exit) return over ? ElementState::lost : ElementState::running;
  if (element->exit->kind == ExitKind::stopped) return ElementState::stopped;
  return has_failed(*element) ? ElementState::failed : ElementState::done;
}

std::vector<int> unsuccessful_indices(const std::vector<Element>& elements, const std::vector<int>& indices,
                                      bool over) {
  std::vector<int> failed;
  for (const int index : indices) {
    const auto state = element_state(find_element(elements, index), over);
    const bool open = state == ElementState::queued || state == ElementState::running;
    if (!open && state != ElementState::done) failed.push_back(index);
  }
  return failed;
}

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

int last_attempt_of(const std::vector<Entry>& retries, int index) {
  int attempt = 1;
  for (const auto& retry : retries) {
    if (!retry.more.is_object()) continue;
    const auto wanted = integers_or_none<int>(retry.more, "elements");
    if (std::find(wanted.begin(), wanted.end(), index) != wanted.end()) attempt = retry.attempt;
  }
  return attempt;
}

void mark_stopped(std::vector<Element>& elements, const std::vector<Event>& events) {
  std::set<int> asked;
  for (const auto& event : events) {
    if (event.name != EventKind::stop_requested) continue;
    for (const int index : integers_or_none<int>(event.more, "elements")) asked.insert(index);
  }
  for (auto& element : elements) {
    if (element.exit && was_terminated(element.exit->kind) && asked.contains(element.index)) {
      element.exit->kind = ExitKind::stopped;
    }
  }
}

std::optional<ExitRecord> end_of_all(const std::vector<Element>& elements, const std::vector<int>& indices) {
  std::optional<ExitRecord> all;
  TimePoint last;
  for (const int index : indices) {
    const auto* element = find_element(elements, index);
    if (element == nullptr || !element->exit) return std::nullopt;
    last = std::max(last, element->exit->time);
    if (!all || badness(*element->exit) > badness(*all)) all = element->exit;
  }
  if (all) all->time = last;
  return all;
}

std::optional<int> element_of_label(std::string_view label) {
  int index = 0;
  const auto* const all = label.data() + label.size();
  const auto [end, fault] = std::from_chars(label.data(), all, index);
  if (fault != std::errc() || (end != all && *end != '.')) return std::nullopt;
  return index;
}

std::string elements_in_words(const std::vector<int>& indices) {
  return (indices.size() == 1 ? "element " : "elements ") + index_ranges(indices);
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
  std::vector<int> bad, stopped;
  for (const int index : indices) {
    const auto* element = find_element(elements, index);
    if (element == nullptr || !element->exit) continue;
    if (has_failed(*element)) {
      bad.push_back(index);
    } else if (element->exit->kind == ExitKind::stopped) {
      stopped.push_back(index);
    } else {
      ++well;
    }
  }
  std::string text = std::to_string(well) + " of " + std::to_string(indices.size()) + " elements done";
  if (!bad.empty()) text += ", " + std::to_string(bad.size()) + " failed (" + index_ranges(bad) + ")";
  if (!stopped.empty()) text += ", " + std::to_string(stopped.size()) + " stopped (" + index_ranges(stopped) + ")";
  return text;
}

std::string without_end(const std::vector<Element>& elements, const std::vector<int>& indices) {
  std::vector<int> missing;
  for (const int index : indices) {
    const auto* element = find_element(elements, index);
    if (element == nullptr || !element->exit) missing.push_back(index);
  }
  return index_ranges(missing);
}

}  // namespace rv::monitor
