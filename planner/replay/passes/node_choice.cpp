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
    chosen_.push_back(tightest_of_best_run(demand, free));
    return chosen_;
  }
  collect_runs(demand, free);
  take(demand, free, best_run(wanted), wanted);
  if (chosen_.size() < wanted) take_rest(demand, free, wanted);
  return chosen_;
}

/// The best run of those for one node, which all suffice, in one walk.
std::size_t NodeChooser::tightest_of_best_run(const Demand& demand, const std::vector<FreeNode>& free) const {
  struct Found {
    std::int64_t weight = 0;
    std::int64_t cpus = 0;
    std::size_t place = 0;  // of the node with the fewest CPUs
  };
  Found best;
  std::size_t found = 0;
  std::size_t i = 0;
  while (i < free.size()) {
    Found run{model_.nodes[free[i].second].weight, 0, i};
    int fewest = std::numeric_limits<int>::max();
    int position = model_.positions[free[i].second];
    for (; i < free.size(); ++i, ++position) {
      const int node = free[i].second;
      if (model_.positions[node] != position || model_.nodes[node].weight != run.weight) break;
      const int cpus = usable(demand, free[i].first);
      run.cpus += cpus;
      if (cpus < fewest) {
        fewest = cpus;
        run.place = i;
      }
    }
    if (found++ == 0 || run.weight < best.weight || (run.weight == best.weight && run.cpus < best.cpus)) best = run;
  }
  return best.place;
}

/// In the order of the nodes, of which a large run behind one that suffices replaces it, as in Slurm.
NodeChooser::Run NodeChooser::best_run(std::size_t wanted) {
  auto best = runs_.begin();
  for (auto run = best + 1; run < runs_.end(); ++run) {
    const bool suffices = run->count >= wanted, best_suffices = best->count >= wanted;
    const bool better = suffices ? !best_suffices || run->cpus < best->cpus : run->cpus > best->cpus;
    if (run->weight < best->weight || (run->weight == best->weight && better)) best = run;
  }
  const Run found = *best;
  runs_.erase(best);
  return found;
}

/// Where the best run is too small: sorted, as there may be many runs.
void NodeChooser::take_rest(const Demand& demand, const std::vector<FreeNode>& free, std::size_t wanted) {
  std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) {
    return std::tuple(a.weight, -a.cpus, a.first) < std::tuple(b.weight, -b.cpus, b.first);
  });
  for (auto run = runs_.begin(); run != runs_.end() && chosen_.size() < wanted; ++run) {
    const std::size_t left = wanted - chosen_.size();
    auto best = run;
    for (auto other = run; run->count >= left && other != runs_.end() && other->weight == run->weight; ++other) {
      if (other->count >= left && other->cpus < best->cpus) best = other;
    }
    take(demand, free, *best, left);
  }
  std::sort(chosen_.begin(), chosen_.end());
}

void NodeChooser::collect_runs(const Demand& demand, const std::vector<FreeNode>& free) {
  runs_.clear();
  for (std::size_t i = 0; i < free.size(); ++i) {
    const int node = free[i].second;
    const std::int64_t weight = model_.nodes[node].weight;
    const bool goes_on =
        i > 0 && runs_.back().weight == weight && model_.positions[node] == model_.positions[free[i - 1].second] + 1;
    if (!goes_on) runs_.push_back({weight, 0, i, 0});
    runs_.back().cpus += usable(demand, free[i].first);
    ++runs_.back().count;
  }
}

/// The node with the fewest CPUs, or the first nodes of the run, as many as are wanted.
void NodeChooser::take(const Demand& demand, const std::vector<FreeNode>& free, const Run& run, std::size_t wanted) {
  if (wanted > 1) {
    for (std::size_t i = 0; i < std::min(wanted, run.count); ++i) chosen_.push_back(run.first + i);
    return;
  }
  std::size_t best = run.first;
  for (std::size_t i = run.first + 1; i < run.first + run.count; ++i) {
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
