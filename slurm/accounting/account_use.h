// What the users of an account used, and the account's part of the fair share: sacct and sshare → values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "slurm/parse/job_records.h"

namespace rv::slurm {

/// Format of `sacct -a -D -X -P -n --accounts=…`. No field of it holds a separator.
inline constexpr std::string_view account_use_format = "User,Start,End,AllocTRES";

/// GPU seconds and CPU seconds.
struct UsedTime {
  double gpu_seconds = 0;
  double cpu_seconds = 0;
};

/// By user, of every start of a job: the part of its time that lies in [from, to). A job that still runs counts to
/// `to`. Rows that can't be read are passed over.
std::map<planner::DatabaseName, UsedTime> parse_account_use(std::string_view text, TimePoint from, TimePoint to);

/// An account beside those of the same parent (sshare).
struct FairShare {
  double share = 0;  // of what the accounts of this parent may use, 0 to 1
  double used = 0;   // of what they did use, 0 to 1; older use counts less (PriorityDecayHalfLife)
};

/// The row of the account itself in `sshare -P -n -o <shares_format>`; nothing where it is not there or has no shares.
std::optional<FairShare> parse_fair_share(std::string_view text, const planner::DatabaseName& account);

}  // namespace rv::slurm
