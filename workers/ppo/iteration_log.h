#pragma once

#include <cstdint>
#include <string>

#include "workers/envs/environments.h"
#include "workers/ppo/learner.h"

namespace rv::ppo {

/// The progress of a training after an iteration.
struct IterationProgress {
  std::uint64_t iteration = 0, iterations = 0;  ///< completed and requested
  double steps = 0;                             ///< of the iteration, over all ranks
  double total_steps = 0;
  double elapsed_seconds = 0;   ///< of this process
  std::uint64_t done_here = 1;  ///< iterations of this process
};

/// Formats an iteration like RSL-RL's log, so that programs that read that log read this one. Unknown values are left
/// out.
std::string iteration_text(const IterationProgress& at, const Outcome& outcome,
                           const envs::Environments::Figures& figures);

/// 3725.4 → "01:02:05"
std::string clock_text(double seconds);

/// 61234567890 → "61.2 GB"
std::string gigabytes_text(double bytes);

}  // namespace rv::ppo
