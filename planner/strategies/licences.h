// The licences that a job requests (sbatch --licenses), and whether they are free.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/cluster/strategy.h"

namespace rv::planner {

struct Licence {
  std::string name;
  std::int64_t count = 1;
};

struct LicenceRequest {
  std::vector<Licence> licences;
  bool any_of = false;  // "a|b": one of them suffices
};

/// Reads "solver:2,matlab@server" (sbatch(1), --licenses). A count that is not a number is 1.
LicenceRequest parse_licences(const std::string& text);

/// Returns why a job of this strategy waits for licences: "2 licences solver are asked for, 1 is free". Empty if enough
/// are free, or if the snapshot does not have their number.
std::string waits_for_licences(const Cluster& cluster, const Strategy& strategy);

}  // namespace rv::planner
