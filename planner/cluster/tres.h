// Trackable resources (TRES): amounts by Slurm's own names.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace rv::planner {

/// Amounts by TRES name: "cpu", "node", "gres/gpu", "gres/gpu:a100", "billing"; "mem" is in MiB.
/// A name that is absent has no amount (no request, no limit): absent is not zero.
using Tres = std::map<std::string, std::int64_t, std::less<>>;

/// The amount under a name, or nothing.
std::optional<std::int64_t> amount(const Tres& tres, std::string_view name);

/// GPUs of any type: "gres/gpu" when it is there, else the sum of the typed entries, else 0.
std::int64_t gpu_count(const Tres& tres);

}  // namespace rv::planner
