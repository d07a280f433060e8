// `--array 0-99%8`: which elements, and how many of them at once.
#pragma once

#include <string_view>

#include "templates/job_spec.h"

namespace rv::cli {

/// "7", "0-99", "0-20:5", "1,3,8-10", each with "%N" behind it for at most N at a time. Throws Error(usage) for
/// anything else, and for more elements than Slurm allows anywhere (4,000,001).
templates::JobArray parse_array(std::string_view text);

}  // namespace rv::cli
