// The elements of an array run, as its jobs wrote them down.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "monitor/ledger/ledger_folder.h"
#include "monitor/run/run_end.h"

namespace rv::monitor {

/// One element that has begun.
struct Element {
  int index = 0;
  std::optional<Entry> start = {};      // the last one; nothing: it failed before user code
  std::optional<ExitRecord> exit = {};  // nothing: it runs, or its end left no record
};

/// All that began in the last attempt that was made for each, by index. `retries`: the run's entries of that kind.
std::vector<Element> elements_of(const ElementLedgers& ledgers, const std::vector<Entry>& retries);

/// The end of the whole array, once every one of `indices` has recorded its own: with code 0 when all ended so, else
/// with the first bad one's. The time is the last one's.
std::optional<ExitRecord> end_of_all(const std::vector<Element>& elements, const std::vector<int>& indices);

/// "12 of 100 elements done, 2 failed (4, 17)".
std::string element_words(const std::vector<Element>& elements, const std::vector<int>& indices);

/// Indices without a record of their end, as people write them: "3, 5-9".
std::string without_end(const std::vector<Element>& elements, const std::vector<int>& indices);

/// "3, 5-9"; cut after a few ranges.
std::string index_ranges(const std::vector<int>& indices);

}  // namespace rv::monitor
