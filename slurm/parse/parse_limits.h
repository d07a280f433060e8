// What accounting says of the user's limits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster/cluster.h"

namespace rv::slurm {

/// True when limits_questions() and a file name can hold this user name: sacctmgr splits at blanks and commas, and
/// reads quotation marks. A backslash is a character like any other to it ("corp\jdoe", of a Windows domain).
bool can_ask_limits_of(std::string_view user);

/// What `sacctmgr -r -P` reads on stdin: four questions for one process and one connection.
std::string limits_questions(std::string_view user);

/// Empty optionals: that question got no answer, which is not the same as none. A user without associations has an
/// empty list.
struct AccountLimits {
  std::optional<std::vector<planner::Qos>> qos;
  std::optional<std::vector<planner::Association>> associations;  // of the user on the cluster
  std::vector<planner::Account> accounts;  // without limits in the database's answer; empty: no answer
  std::vector<planner::Budget> budgets;    // of these QOS and associations
};

/// The answer to limits_questions. Sections are recognised by their header lines and columns found by their names
/// there; sacctmgr's own prompts are passed over. One database may serve several clusters: rows of others than
/// `cluster` are dropped, unless that is empty.
AccountLimits parse_limits(std::string_view text, const planner::DatabaseName& user,
                           const planner::DatabaseName& cluster);

}  // namespace rv::slurm
