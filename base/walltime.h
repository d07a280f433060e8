// Parses and formats time limits and durations.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace rv {

/// Reads the value of --time: "30m", "2h", "3d", "90s", "1h30m", "MM:SS", "HH:MM:SS", "D-HH", "D-HH:MM",
/// "D-HH:MM:SS". A bare number is minutes, as for sbatch. Returns nothing for anything else, for zero and for
/// more than a thousand years.
std::optional<std::chrono::seconds> parse_walltime(std::string_view text);

/// Returns Slurm's own form: "00:30:00", "3-00:00:00".
std::string format_walltime(std::chrono::seconds limit);

/// Returns a form for people: "30m", "2h 50m", "3d", "45s".
std::string format_duration(std::chrono::seconds span);

/// Returns the exact form that --time accepts: "30m", "2h50m".
std::string typed_duration(std::chrono::seconds span);

/// Like format_duration(), for a prediction: from five minutes on, rounded to the nearest minute.
std::string rounded_duration(std::chrono::seconds span);

}  // namespace rv
