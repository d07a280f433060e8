// The releases of Slurm with which this version of rv was tested. Each has a recording in tests/data/slurm that the
// parsers' tests read. A test checks that docs/slurm-releases.md has the same rows.
#pragma once

#include <array>

namespace rv::slurm {

struct TestedRelease {
  const char* release;
  const char* how;
};

inline constexpr std::array tested_releases{
    TestedRelease{"20.11.9", "the real one, and recorded answers"},
    TestedRelease{"22.05.8", "the real one, and recorded answers"},
    TestedRelease{"23.11.11", "the real one, and recorded answers"},
    TestedRelease{"24.05.8", "the real one, and recorded answers"},
    TestedRelease{"24.11.7", "the real one, and recorded answers"},
    TestedRelease{"25.05.8", "the real one, and recorded answers"},
    TestedRelease{"25.11.7", "the real one, and recorded answers"},
    TestedRelease{"26.05.3", "the real one, and recorded answers"},
};

}  // namespace rv::slurm
