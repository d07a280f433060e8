// What accounting says of the user's limits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/cluster.h"

namespace rv::slurm {

/// What `sacctmgr -P` reads on stdin: three questions for one process and one connection.
std::string limits_questions(std::string_view user);

struct AccountLimits {
  std::vector<planner::Qos> qos;
  std::vector<planner::Association> associations;  // of the user
};

/// The answer to limits_questions. The sections are told apart by their header lines; sacctmgr's own prompts are
/// passed over.
AccountLimits parse_limits(std::string_view text, std::string_view user);

}  // namespace rv::slurm
