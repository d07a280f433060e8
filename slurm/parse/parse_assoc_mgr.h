// Parses the controller's own copy of the user's limits.
#pragma once

#include <string_view>

#include "slurm/parse/parse_limits.h"

namespace rv::slurm {

/// Reads `scontrol show assoc_mgr users=USER flags=assoc,qos`: limits, with their use in brackets, "gres/gpu=8(3)".
/// Only this source has budgets in minutes with their use, also those of the accounts above the user's. The controller
/// answers much faster than the accounting database. Its answer lacks the flags of QOS, the default and permitted QOS,
/// and the limits per user and per account of a QOS that this user has not used yet. A member without a value was not
/// answered (PrivateData can forbid it); for associations it can also mean that the user has none.
AccountLimits parse_assoc_mgr(std::string_view text, const planner::DatabaseName& user,
                              const planner::DatabaseName& cluster);

}  // namespace rv::slurm
