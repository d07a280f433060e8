// Where an acceptance's figures come from, as its page says at the top.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "reports/accept/evidence.h"
#include "reports/pages/page.h"

namespace rv::accept {

/// `judged`: for evidence that does not say when it was gathered.
pages::About about_of(const std::vector<NodeEvidence>& evidence, const std::string& who,
                      std::chrono::sys_seconds judged);

}  // namespace rv::accept
