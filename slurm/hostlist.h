// Compressed lists of host names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::slurm {

/// "a[1-3,7],b" → a1 a2 a3 a7 b, widths kept ("n[01-02]"), several brackets too ("r[1-2]n[1-2]"). A nothing-word gives
/// an empty list; broken input comes back as one word.
std::vector<std::string> expand_hostlist(std::string_view list);

}  // namespace rv::slurm
