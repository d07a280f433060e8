// Named choices of suites and lengths, for the places where a site tests its nodes.
#pragma once

#include <span>
#include <string_view>

#include "reports/accept/suite.h"

namespace rv::accept {

struct Tier {
  std::string_view name;
  std::span<const Suite> suites;  // in the order in which they run
  bool full;                      // the longer measurements
  bool this_node_only;            // also inside a job of several nodes: a prolog runs on each node by itself
  int within_s = 0;               // Order::within_s
};

/// prolog, preflight, pre-job, idle and weekly, from the shortest to the longest.
std::span<const Tier> all_tiers();

/// Null for an unknown name.
const Tier* tier_named(std::string_view name);

}  // namespace rv::accept
