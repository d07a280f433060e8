// Slurm's reason for not starting a job, in words, with what helps.
#pragma once

#include <string>
#include <string_view>

namespace rv::monitor {

struct PendingReason {
  std::string words;     // "waiting for free GPUs"
  std::string advice;    // what to do; empty when waiting is all there is to do
  bool blocked = false;  // will not start by itself
};

/// Slurm writes some reasons with blanks, some with underscores, and not the same in every release and command.
std::string with_blanks(std::string_view reason);

/// An unknown reason comes back in Slurm's own word.
PendingReason explain_pending(std::string_view reason);

}  // namespace rv::monitor
