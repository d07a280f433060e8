// Trackable resources (TRES): amounts by Slurm's own names.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "planner/cluster/records/database_name.h"

namespace rv::planner {

/// Amounts by TRES name, in any letter case: "cpu", "node", "gres/gpu", "gres/gpu:a100", "billing"; "mem" is in MiB.
/// A name that is absent has no amount (no request, no limit): absent is not zero.
using Tres = std::map<DatabaseName, std::int64_t>;

/// The amount under a name, or nothing.
std::optional<std::int64_t> amount(const Tres& tres, const DatabaseName& name);

/// What the name of a typed GPU's TRES begins with: "gres/gpu:a100".
inline constexpr std::string_view typed_gpu = "gres/gpu:";

/// GPUs of any type: "gres/gpu" when it is there, else the sum of the typed entries, else 0.
std::int64_t gpu_count(const Tres& tres);

}  // namespace rv::planner
