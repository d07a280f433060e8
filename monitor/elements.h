// The elements of an array run, as its jobs wrote them down.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "monitor/run_folder.h"

namespace rv::monitor {

/// One element that has passed the gate.
struct Element {
  int index = 0;
  std::optional<ExitRecord> exit;  // nothing: it runs, or its end left no record
};

/// All that began, by index.
std::vector<Element> read_elements(const RunFolder& folder);

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
