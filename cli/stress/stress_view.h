// A judged stress run for people.
#pragma once

#include <string>

#include "base/os/terminal.h"
#include "reports/stress/judgement.h"

namespace rv::cli {

/// The GPUs, the workers, the launcher's runs, what was found, and the verdict.
std::string stress_text(const stress::Judgement& judgement, const os::Terminal& terminal);

}  // namespace rv::cli
