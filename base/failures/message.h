// Messages of programs, drivers and Slurm → the cause. The messages are data: one table.
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
  /// How near to the root: the smaller, the nearer. A full disk makes ranks fail and failed ranks make NCCL time out,
  /// never the other way round; warnings come last.
  int rank = 0;
  Certainty certainty = Certainty::certain;
  std::size_t at = 0;  // where the message begins in the line, in bytes
};

/// The cause that this one line of output names, or nothing. A shell's message about a command is a warning unless
/// `exit_code` is the shell's for it (126, 127, 137): the script may go on after it.
std::optional<Match> cause_in(std::string_view line, std::optional<int> exit_code = std::nullopt);

/// The place of a cause in the table, for what is found in another way than by a message.
int rank_of(Cause cause);

/// The patterns of the messages that are certain signs of `cause`, in the order of the table.
std::vector<std::string_view> messages_of(Cause cause);

}  // namespace rv::failures
