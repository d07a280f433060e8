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

/// Reads "40G", "1.5T" or "4096" (mebibytes, as for sbatch --mem) and rounds up to whole mebibytes. Units: K M G T P in
/// any case, optionally with "B" or "iB". Returns nothing for anything else, negative sizes and overflow.
std::optional<Mebibytes> parse_memory(std::string_view text);

/// Returns the shortest exact form: "250G", "1500M".
std::string format_memory(Mebibytes amount);

}  // namespace rv
