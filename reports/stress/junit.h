// A judged stress run as JUnit XML, which CI systems show.
#pragma once

#include <string>
#include <string_view>

#include "reports/stress/judgement.h"

namespace rv::stress {

/// A test suite a node, a case for each worker, check and configuration of the launcher, and one suite for the rates. A
/// case fails exactly where the verdict hangs on it: a worker that failed while enough did well is a skipped case with
/// its reason, as is a check without a result.
std::string junit_xml(const Judgement& judgement);

/// Where nothing was started: one case, an error that says why.
std::string junit_of_refusal(const std::string& why);

/// "&", "<", ">" and quotes made safe, and what XML can't hold left out.
std::string escape_xml(std::string_view text);

}  // namespace rv::stress
