// What every GPU gave, beside the others, its baseline and its model's peak.
#pragma once

#include <string>

#include "reports/accept/judgement.h"

namespace rv::accept {

/// A few GPUs: a bar for each. Many: a chart over all of them, bars for those that did not pass. Empty where nothing
/// was measured on each GPU alone.
std::string each_gpu_html(const Judgement& judgement);

}  // namespace rv::accept
