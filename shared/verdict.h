// The result of a check, as rv and its workers have it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace rv {

enum class Verdict { pass, fail, skip, error };

std::string_view to_string(Verdict verdict);
std::optional<Verdict> verdict_named(std::string_view word);
/// An unknown word is an error: absence of evidence is not success.
Verdict verdict_from(std::string_view word);

/// Many verdicts together. A fail is a finding and outranks an error; an error outranks a skip; pass only if all
/// passed. Nothing at all is an error.
Verdict fold(const std::vector<Verdict>& verdicts);

/// Where it stands among others, the worst first (0), as fold() ranks them.
int severity(Verdict verdict);

/// 0 pass, 1 fail, 3 error, 77 nothing worse than skips (0 under `allow_skip`). 2 is left for wrong usage.
int exit_code(Verdict verdict, bool allow_skip);
/// In place of an error's, of what does not fit a GPU's memory or the host's.
inline constexpr int does_not_fit = 4;

}  // namespace rv
