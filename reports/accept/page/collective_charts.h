// What GPUs give together: bandwidth of large messages, latency of small ones.
#pragma once

#include <string>

#include "reports/accept/judgement.h"

namespace rv::accept {

/// Bus bandwidth over size, both logarithmic: of all nodes together, of each node that did not pass, and of the
/// others together (their medians) where they are many. Empty where no large message was sent.
std::string bandwidth_html(const Judgement& judgement);

/// The time of small messages, with the baselines beside it. Empty where there was none.
std::string latency_html(const Judgement& judgement);

}  // namespace rv::accept
