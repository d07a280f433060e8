#include "planner/strategies/node_counts.h"

#include <string>

#include "base/error.h"
#include "base/wrong_value.h"

namespace rv::planner {

namespace {

constexpr int fewest_gpus_to_split = 4;

void check(const Request& request) {
  if (request.gpus < 0) {
    throw wrong_value("--gpu", std::to_string(request.gpus), "at least 0", "write it like --gpu 4");
  }
  if (!request.nodes) return;
  const std::string nodes = std::to_string(*request.nodes);
  if (request.single_node && *request.nodes != 1) {
    throw Error("--single-node and --nodes " + nodes + " can't be combined", "leave out one of them", ExitCode::usage);
  }
  if (*request.nodes < 1 || request.gpus % *request.nodes != 0) {
    throw Error("--nodes " + nodes + " does not divide --gpu " + std::to_string(request.gpus) + " evenly",
                "every node gets the same number of GPUs: choose numbers that divide evenly", ExitCode::usage);
  }
}

/// Smallest first. Found in pairs: a mistyped --gpu of two billion must not take seconds.
std::vector<int> divisors(int number) {
  std::vector<int> small;
  std::vector<int> large;
  for (int divisor = 1; divisor <= number / divisor; ++divisor) {
    if (number % divisor != 0) continue;
    small.push_back(divisor);
    if (divisor != number / divisor) large.push_back(number / divisor);
  }
  small.insert(small.end(), large.rbegin(), large.rend());
  return small;
}

bool allows_split(Splits splits, int gpus, int nodes) {
  if (nodes == 1 || splits == Splits::all) return true;
  if (gpus < fewest_gpus_to_split) return false;
  return splits == Splits::two_nodes ? nodes == 2 : gpus / nodes >= 2;
}

}  // namespace

std::vector<int> node_counts(const Request& request) {
  check(request);
  if (request.nodes) return {*request.nodes};
  if (request.single_node || request.gpus == 0) return {1};
  std::vector<int> counts;
  for (const int nodes : divisors(request.gpus)) {
    if (allows_split(request.splits, request.gpus, nodes)) counts.push_back(nodes);
  }
  return counts;
}

}  // namespace rv::planner
