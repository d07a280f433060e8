// What the controller itself says of the user's limits.
#pragma once

#include <string_view>

#include "slurm/parse/parse_limits.h"

namespace rv::slurm {

/// `scontrol show assoc_mgr users=USER flags=assoc,qos`: limits with what is used of them in brackets, "gres/gpu=8(3)".
/// Budgets in minutes with their use are here alone, those of the accounts above the user's included.
/// The controller answers many times sooner than the accounting database, with less: the flags of QOS, default and
/// permitted QOS are not in it, nor the limits per user and per account of a QOS that this user has not used yet. Empty
/// optionals: no answer (PrivateData can forbid it); no associations also where the user has none.
AccountLimits parse_assoc_mgr(std::string_view text, const planner::DatabaseName& user,
                              const planner::DatabaseName& cluster);

}  // namespace rv::slurm
