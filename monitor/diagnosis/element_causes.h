// Groups the failed elements of an array by cause.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/diagnosis/diagnosis.h"
#include "monitor/diagnosis/findings.h"

namespace rv::monitor {

/// Returns the element that wrote a log: 3 for "logs/3.out" and "logs/3.n2.err"; nothing for other files.
std::optional<int> element_of_log(std::string_view file);

/// Groups the failed elements by exit code and by the first cause that their own logs name, the largest group first.
/// Empty for a run that is not an array.
std::vector<ElementCause> element_causes(const RunEvidence& evidence, const std::vector<Finding>& findings);

/// "elements 3, 8: exit code 1, CUDA ran out of memory".
std::string to_string(const ElementCause& cause);

}  // namespace rv::monitor
