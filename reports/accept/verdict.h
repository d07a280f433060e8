// What a check came to.
#pragma once

#include <string_view>
#include <vector>

namespace rv::accept {

enum class Verdict { pass, fail, skip, error };

std::string_view to_string(Verdict verdict);
/// An unknown word is an error: absence of evidence is not success.
Verdict verdict_from(std::string_view word);

/// Many verdicts together. A fail is a finding and outranks an error; an error outranks a skip; pass only if all
/// passed. Nothing at all is an error.
Verdict fold(const std::vector<Verdict>& verdicts);

/// Where it stands among others, the worst first (0), as fold() ranks them.
int severity(Verdict verdict);

/// As the workers have it: 0 pass, 1 fail, 3 error, 77 skip (0 where skips are allowed).
int exit_code(Verdict verdict, bool allow_skip);

}  // namespace rv::accept
