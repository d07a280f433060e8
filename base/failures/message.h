// Finds the cause for a message of a program, a driver or Slurm, from one table of messages.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/failures/cause.h"
#include "base/failures/pattern.h"

namespace rv::failures {

enum class Certainty {
  certain,  // a program that prints this has failed, unless its later output shows that it continues
  warning,  // programs that continue print this too: other evidence is needed
  echo,     // reports the failure of another process
};

struct Match {
  Cause cause = Cause::unknown;
  /// How close to the root cause; 0 is closest. A full disk makes ranks fail, and failed ranks make NCCL time out,
  /// never the other way round. Warnings come last.
  int rank = 0;
  Certainty certainty = Certainty::certain;
  std::size_t at = 0;  // where the message begins in the line, in bytes
};

/// Returns the cause that this line of output names, or nothing. A shell's message about a command is a warning unless
/// `exit_code` is the code that the shell uses for it (126, 127, 137): the script may continue after the message.
std::optional<Match> cause_in(std::string_view line, std::optional<int> exit_code = std::nullopt);

/// Returns the rank of a cause, for causes that are not found by a message.
int rank_of(Cause cause);

/// Returns the patterns of the messages that are certain evidence of `cause`, in the order of the table.
std::vector<std::string_view> messages_of(Cause cause);

}  // namespace rv::failures
