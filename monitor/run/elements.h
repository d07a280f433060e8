// The elements of an array run, from the records that its jobs wrote.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/ledger/ledger_folder.h"
#include "monitor/run/journal.h"
#include "monitor/run/run_end.h"

namespace rv::monitor {

/// One element that has begun: its job has written a record.
struct Element {
  int index = 0;
  std::optional<Entry> start = {};      // of its command, the last; nothing: it failed before
  std::optional<ExitRecord> exit = {};  // nothing: it runs, or it ended without a record
};

/// The state of an element. `lost`: the run is over and the element's end was not recorded. `not_started`: the run is
/// over and the element never began.
enum class ElementState { queued, running, done, failed, stopped, lost, not_started };
std::string_view to_string(ElementState state);

/// Whether the element has ended with a failure. An element that rv stop --element ended has not failed.
bool has_failed(const Element& element);

/// Returns the element with this index; null if it has not begun. `elements` are sorted by index.
const Element* find_element(const std::vector<Element>& elements, int index);

/// `element`: null if it has not begun. `over`: whether the run is over.
ElementState element_state(const Element* element, bool over);

/// Returns those of `indices` that `--failed` selects: elements that failed or were stopped. If the run is over
/// (`over`), elements that never began or whose end was not recorded are included.
std::vector<int> unsuccessful_indices(const std::vector<Element>& elements, const std::vector<int>& indices, bool over);

/// Returns the number of the last attempt that includes this element, from 1. `retries`: the ledger's entries of the
/// kind `retry`.
int last_attempt_of(const std::vector<Entry>& retries, int index);

/// Sets the exit kind `stopped` for each element that was terminated after rv stop --element had asked for it.
/// `events`: the run's journal.
void mark_stopped(std::vector<Element>& elements, const std::vector<Event>& events);

/// Returns the elements that began in the last attempt that includes them, sorted by index. `retries`: the ledger's
/// entries of the kind `retry`.
std::vector<Element> elements_of(const ElementLedgers& ledgers, const std::vector<Entry>& retries);

/// Returns the end of the whole array; nothing until each of `indices` has an exit record. The code is 0 if every
/// element ended with 0, else the code of the failed element with the lowest index, else that of the stopped element
/// with the lowest index. The time is the latest end.
std::optional<ExitRecord> end_of_all(const std::vector<Element>& elements, const std::vector<int>& indices);

/// Returns the element to which a log belongs: 3 for the labels "3" and "3.n2" (an element on several nodes writes one
/// log per node). Nothing if the label does not begin with an index.
std::optional<int> element_of_label(std::string_view label);

/// "12 of 100 elements done, 2 failed (4, 17)".
std::string element_words(const std::vector<Element>& elements, const std::vector<int>& indices);

/// The indices of elements whose end was not recorded, as ranges: "3, 5-9".
std::string without_end(const std::vector<Element>& elements, const std::vector<int>& indices);

/// "element 3", "elements 3, 5-9".
std::string elements_in_words(const std::vector<int>& indices);

/// "3, 5-9"; after eight ranges the rest is left out.
std::string index_ranges(const std::vector<int>& indices);

}  // namespace rv::monitor
