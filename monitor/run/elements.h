// The elements of an array run, as its jobs wrote them down.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/ledger/ledger_folder.h"
#include "monitor/run/journal.h"
#include "monitor/run/run_end.h"

namespace rv::monitor {

/// One element that has begun.
struct Element {
  int index = 0;
  std::optional<Entry> start = {};      // the last one; nothing: it failed before user code
  std::optional<ExitRecord> exit = {};  // nothing: it runs, or its end left no record
};

/// Where an element is. `lost`: the run is over without a record of how the element ended; `not_started`: the run is
/// over and the element never began.
enum class ElementState { queued, running, done, failed, stopped, lost, not_started };
std::string_view to_string(ElementState state);

/// Whether the element has ended, and not well; rv stop --element is not a failure.
bool has_failed(const Element& element);

/// The element with this index; nothing: it has not begun.
const Element* find_element(const std::vector<Element>& elements, int index);

/// `over`: the run is.
ElementState element_state(const Element* element, bool over);

/// Those of `indices` that have ended and not well, or were stopped, and once the run is over those without a record of
/// their end.
std::vector<int> failed_indices(const std::vector<Element>& elements, const std::vector<int>& indices, bool over);

/// The attempt that was last made for an element. `retries`: the run's entries of that kind.
int wanted_attempt(const std::vector<Entry>& retries, int index);

/// A command that rv stop --element ended has the exit kind `stopped`, going by the journal's `events`.
void mark_stopped(std::vector<Element>& elements, const std::vector<Event>& events);

/// All that began in the last attempt that was made for each, by index. `retries`: the run's entries of that kind.
std::vector<Element> elements_of(const ElementLedgers& ledgers, const std::vector<Entry>& retries);

/// The end of the whole array, once every one of `indices` has recorded its own: with code 0 when all ended so, else
/// with the first bad one's; one that was stopped counts only where none is bad. The time is the last one's.
std::optional<ExitRecord> end_of_all(const std::vector<Element>& elements, const std::vector<int>& indices);

/// The element that a log's label names: 3 of "3" and of "3.n2", as an element on several nodes writes them; nothing
/// for a label that is not an array's.
std::optional<int> element_of_label(std::string_view label);

/// "12 of 100 elements done, 2 failed (4, 17)".
std::string element_words(const std::vector<Element>& elements, const std::vector<int>& indices);

/// Indices without a record of their end, as people write them: "3, 5-9".
std::string without_end(const std::vector<Element>& elements, const std::vector<int>& indices);

/// "element 3", "elements 3, 5-9".
std::string elements_in_words(const std::vector<int>& indices);

/// "3, 5-9"; cut after a few ranges.
std::string index_ranges(const std::vector<int>& indices);

}  // namespace rv::monitor
