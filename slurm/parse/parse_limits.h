// Parses accounting's answer about the user's limits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"

namespace rv::slurm {

/// Whether limits_questions() and a file name can contain this user name. sacctmgr splits names at blanks and commas,
/// and interprets quotation marks. A backslash has no special meaning ("corp\jdoe", from a Windows domain).
bool can_ask_limits_of(std::string_view user);

/// Returns the text for stdin of `sacctmgr -r -P`: four queries in one process, over one connection.
std::string limits_questions(std::string_view user);

/// The limits. A member without a value was not answered; a user without associations has an empty list.
struct AccountLimits {
  std::optional<std::vector<planner::Qos>> qos;
  std::optional<std::vector<planner::Association>> associations;  // of the user on the cluster
  std::vector<planner::Account> accounts;  // empty: no answer. The database's answer has no limits for them
  std::vector<planner::Budget> budgets;    // budgets of these QOS and associations
};

/// Reads the answer to limits_questions(). It recognises sections by their header lines, and columns by their names
/// there; it skips sacctmgr's prompts. One database may serve several clusters: only rows of `cluster` are read, or all
/// if that is empty.
AccountLimits parse_limits(std::string_view text, const planner::DatabaseName& user,
                           const planner::DatabaseName& cluster);

}  // namespace rv::slurm
