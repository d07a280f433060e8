// Whether all that was ordered ran to its end.
#pragma once

#include <vector>

#include "reports/accept/judgement.h"

namespace rv::accept {

/// A finding for every node that did not report, and for every step that did not run, did not end, ended by a signal
/// or over its time, or that no worker wrote a result for. Also one for every report whose result its figures don't
/// explain, such as an error without a figure: a skip if the result is a skip, otherwise an error.
std::vector<Finding> find_gaps(const Order& order, const std::vector<NodeEvidence>& evidence);

}  // namespace rv::accept
