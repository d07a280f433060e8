// rv sweep compare A B.
#pragma once

#include <string>

#include "cli/options/invocation.h"

namespace rv::cli {

/// Prints the second machine beside the first; `report_dir`, where it is not empty, gets compare.json and compare.html.
/// Returns 0. Throws Error(usage) for a folder that holds no sweep.
int compare_sweeps(const std::string& first, const std::string& second, const std::string& report_dir,
                   const Invocation& invocation);

}  // namespace rv::cli
