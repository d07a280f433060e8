// What this rv is, for scripts and for reports of faults.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace rv::cli {

/// `version`, `compiler`, `cuda` (null: the workers of this build know the CPU only), `slurm_releases`: those tried,
/// each with `release` and `how`.
nlohmann::ordered_json version_json();

}  // namespace rv::cli
