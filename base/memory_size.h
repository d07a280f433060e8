// Memory as Slurm counts it: whole mebibytes.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rv {

struct Mebibytes {
  std::int64_t count = 0;
  auto operator<=>(const Mebibytes&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 misreads <=>
};

/// "40G", "512M", "1.5T", "4096" (a bare number is mebibytes, as for sbatch --mem). Units K M G T P,
/// optionally followed by "B" or "iB", any case. Empty for anything else, for negatives and for overflow.
std::optional<Mebibytes> parse_memory(std::string_view text);

/// Shortest exact form: "250G", "1500M".
std::string format_memory(Mebibytes amount);

}  // namespace rv
