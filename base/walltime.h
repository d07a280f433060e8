// Wall-clock limits as people and Slurm write them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace rv {

/// What a person types for --time: "30m", "2h", "3d", "90s", "1h30m", "MM:SS", "HH:MM:SS", "D-HH", "D-HH:MM",
/// "D-HH:MM:SS". A bare number is minutes, as for sbatch. Empty for anything else, for zero and for more than a
/// thousand years.
std::optional<std::chrono::seconds> parse_walltime(std::string_view text);

/// Slurm's own form: "00:30:00", "3-00:00:00".
std::string format_walltime(std::chrono::seconds limit);

/// For a person: "30m", "2h 50m", "3d", "45s".
std::string format_duration(std::chrono::seconds span);

/// As --time and the like take it, and exact: "30m", "2h50m".
std::string typed_duration(std::chrono::seconds span);

/// The same as format_duration() for a prediction: from five minutes on, rounded to the nearest minute.
std::string rounded_duration(std::chrono::seconds span);

}  // namespace rv
