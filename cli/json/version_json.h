// The version of this rv, for scripts and for bug reports.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace rv::cli {

/// `version`, `compiler`, `cuda` (null: the workers of this build know the CPU only), `slurm_releases`: tested
/// releases, each with `release` and `how`.
nlohmann::ordered_json version_json();

}  // namespace rv::cli
