#include "planner/replay/passes/node_choice.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace rv::planner {

namespace {

/// CPUs that Slurm counts of a node with so many free ones: as many as the job can use there.
int usable(const Demand& demand, int cpus) {
  if (demand.choice == NodeChoice::first || demand.cpus <= 0) return demand.cpus;
  return std::max(cpus / demand.cpus, 1) * demand.cpus;
}

}  // namespace

const std::vector<std::size_t>& NodeChooser::choose(const Demand& demand, const std::vector<FreeNode>& free,
                                                    std::size_t wanted) {
  chosen_.clear();
  if (demand.choice == NodeChoice::least_loaded || demand.choice == NodeChoice::smallest) {
    take_least_loaded(demand, free, wanted);
    return chosen_;
  }
  if (wanted == 1) {
    chosen_.push_back(tightest_of_best_range(demand, free));
    return chosen_;
  }
  collect_ranges(demand, free);
  take(demand, free, best_range(wanted), wanted);
  if (chosen_.size() < wanted) take_rest(demand, free, wanted);
  return chosen_;
}

/// The best range of those for one node, which all suffice, in one walk.
std::size_t NodeChooser::tightest_of_best_range(const Demand& demand, const std::vector<FreeNode>& free) const {
  struct Found {
    std::int64_t weight = 0;
    std::int64_t cpus = 0;
    std::size_t place = 0;  // of the node with the fewest CPUs
  };
  Found best;
  std::size_t found = 0;
  std::size_t i = 0;
  while (i < free.size()) {
    Found range{model_.nodes[free[i].second].weight, 0, i};
    int fewest = std::numeric_limits<int>::max();
    int position = model_.positions[free[i].second];
    for (; i < free.size(); ++i, ++position) {
      const int node = free[i].second;
      if (model_.positions[node] != position || model_.nodes[node].weight != range.weight) break;
      const int cpus = usable(demand, free[i].first);
      range.cpus += cpus;
      if (cpus < fewest) {
        fewest = cpus;
        range.place = i;
      }
    }
    if (found++ == 0 || range.weight < best.weight || (range.weight == best.weight && range.cpus < best.cpus))
      best = range;
  }
  return best.place;
}

/// In the order of the nodes, of which a large range behind one that suffices replaces it, as in Slurm.
NodeChooser::NodeRange NodeChooser::best_range(std::size_t wanted) {
  auto best = ranges_.begin();
  for (auto range = best + 1; range < ranges_.end(); ++range) {
    const bool suffices = range->count >= wanted, best_suffices = best->count >= wanted;
    const bool better = suffices ? !best_suffices || range->cpus < best->cpus : range->cpus > best->cpus;
    if (range->weight < best->weight || (range->weight == best->weight && better)) best = range;
  }
  const NodeRange found = *best;
  ranges_.erase(best);
  return found;
}

/// Where the best range is too small: sorted, as there may be many ranges.
void NodeChooser::take_rest(const Demand& demand, const std::vector<FreeNode>& free, std::size_t wanted) {
  std::sort(ranges_.begin(), ranges_.end(), [](const NodeRange& a, const NodeRange& b) {
    return std::tuple(a.weight, -a.cpus, a.first) < std::tuple(b.weight, -b.cpus, b.first);
  });
  for (auto range = ranges_.begin(); range != ranges_.end() && chosen_.size() < wanted; ++range) {
    const std::size_t left = wanted - chosen_.size();
    auto best = range;
    for (auto other = range; range->count >= left && other != ranges_.end() && other->weight == range->weight;
         ++other) {
      if (other->count >= left && other->cpus < best->cpus) best = other;
    }
    take(demand, free, *best, left);
  }
  std::sort(chosen_.begin(), chosen_.end());
}

void NodeChooser::collect_ranges(const Demand& demand, const std::vector<FreeNode>& free) {
  ranges_.clear();
  for (std::size_t i = 0; i < free.size(); ++i) {
    const int node = free[i].second;
    const std::int64_t weight = model_.nodes[node].weight;
    const bool goes_on =
        i > 0 && ranges_.back().weight == weight && model_.positions[node] == model_.positions[free[i - 1].second] + 1;
    if (!goes_on) ranges_.push_back({weight, 0, i, 0});
    ranges_.back().cpus += usable(demand, free[i].first);
    ++ranges_.back().count;
  }
}

/// The node with the fewest CPUs, or the first nodes of the range, as many as are wanted.
void NodeChooser::take(const Demand& demand, const std::vector<FreeNode>& free, const NodeRange& range,
                       std::size_t wanted) {
  if (wanted > 1) {
    for (std::size_t i = 0; i < std::min(wanted, range.count); ++i) chosen_.push_back(range.first + i);
    return;
  }
  std::size_t best = range.first;
  for (std::size_t i = range.first + 1; i < range.first + range.count; ++i) {
    if (usable(demand, free[i].first) < usable(demand, free[best].first)) best = i;
  }
  chosen_.push_back(best);
}

void NodeChooser::take_least_loaded(const Demand& demand, const std::vector<FreeNode>& free, std::size_t wanted) {
  chosen_.resize(free.size());
  std::iota(chosen_.begin(), chosen_.end(), std::size_t{0});
  const auto node = [&](std::size_t place) -> const ReplayNode& { return model_.nodes[free[place].second]; };
  const auto usable = [&](std::size_t place) {
    return demand.choice == NodeChoice::smallest ? demand.cpus : free[place].first;
  };
  std::stable_sort(chosen_.begin(), chosen_.end(), [&](std::size_t a, std::size_t b) {
    if (node(a).weight != node(b).weight) return node(a).weight < node(b).weight;
    return usable(a) * node(b).total.cpus > usable(b) * node(a).total.cpus;
  });
  chosen_.resize(wanted);
  std::sort(chosen_.begin(), chosen_.end());
}

}  // namespace rv::planner
