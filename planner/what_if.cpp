#include "planner/what_if.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/walltime.h"
#include "planner/cluster/usage.h"
#include "planner/forecast.h"
#include "planner/predicted_wait.h"
#include "planner/sharing/node_tenants.h"
#include "planner/start_latency.h"
#include "planner/strategies/free_now.h"
#include "planner/strategies/priced.h"

namespace rv::planner {

namespace {

using std::chrono::seconds;

constexpr seconds at_once{60};
constexpr seconds short_wait{300};
constexpr std::size_t most_types = 3;
constexpr std::size_t most_variants = 48;  // replayed: each costs about as much as one more strategy in the table

/// Slurm's replay ends after a week: where no replay saw a start, the wait is at least this long.
seconds wait_of(const Strategy& strategy) {
  return strategy.wait.p50.value_or(std::chrono::hours(24 * 7));
}

bool is_sooner(const Strategy& other, const Strategy& asked) {
  const seconds wait = wait_of(asked);
  return other.wait.p50 && *other.wait.p50 + std::max(short_wait, wait / 10) <= wait;
}

std::string start_in_words(const Strategy& strategy) {
  if (strategy.wait.basis == free_now_basis) return "now";
  if (!strategy.wait.p50) return "in over a week";
  if (*strategy.wait.p50 < at_once) return "now";
  return "in about " + rounded_duration(*strategy.wait.p50);
}

const std::string& title_of(const GpuModel& gpu) {
  return gpu.title.empty() ? gpu.name : gpu.title;
}

class Variants {
 public:
  Variants(const ClusterIndex& index, const GpuCatalogue& catalogue, const Request& request, const Strategy& asked,
           AskedIs asked_is)
      : index_(index), catalogue_(catalogue), request_(request), asked_(asked), asked_is_(asked_is) {}

  std::vector<WhatIf> all() {
    add_shorter();
    add_fewer();
    add_types();
    add_splits();
    if (found_.size() > most_variants) found_.resize(most_variants);
    return std::move(found_);
  }

 private:
  void add(Change change, const Strategy& strategy, std::vector<std::string> options) {
    if (strategy.kind == Kind::checkpoint || strategy.kind != asked_.kind) {
      const bool whole = strategy.kind == Kind::plain || strategy.kind == Kind::interactive;
      if (!whole || asked_.kind == Kind::mig) return;
    }
    found_.push_back({change, strategy, std::move(options)});
  }

  void add_shorter() {
    if (!asked_.wait.window) return;
    Strategy shorter = asked_;
    shorter.time_limit = shorter.work_time = *asked_.wait.window;
    add(Change::shorter_time, shorter, {"--time", typed_duration(*asked_.wait.window)});
  }

  /// Only nodes that are free at this moment: fewer GPUs that wait as well are not worth the replay.
  void add_fewer() {
    const Usage usage = measure_usage(*index_.cluster);
    const NodeTenants tenants(*index_.cluster);
    constexpr int each_number = 8;  // up to it every smaller number is tried, above it halves
    for (int gpus = request_.gpus > each_number ? request_.gpus / 2 : request_.gpus - 1; gpus >= 1;
         gpus = gpus > each_number ? gpus / 2 : gpus - 1) {
      if (request_.nodes && gpus % *request_.nodes != 0) continue;
      Request smaller = request_;
      smaller.gpus = gpus;
      for (const Strategy& strategy : priced_strategies(index_, catalogue_, smaller).strategies) {
        if (wait_now(index_, usage, tenants, strategy).basis != free_now_basis) continue;
        add(Change::fewer_gpus, strategy, {"-g", std::to_string(gpus)});
        break;
      }
    }
  }

  void add_types() {
    const bool open = request_.types.empty() && request_.partitions.empty();
    if (open && asked_is_ == AskedIs::soonest_of_plan) return;
    Request wider = request_;
    wider.types.clear();
    wider.partitions.clear();
    for (const Strategy& strategy : priced_strategies(index_, catalogue_, wider).strategies) {
      if (strategy.gpu.name == asked_.gpu.name) continue;
      std::vector<std::string> options = {"-t", strategy.gpu.name};
      if (!request_.partitions.empty()) options.insert(options.end(), {"-p", joined(strategy.partitions)});
      add(Change::other_type, strategy, std::move(options));
    }
  }

  void add_splits() {
    Request wider = request_;
    wider.splits = Splits::all;
    wider.single_node = false;
    if (wider.nodelist.empty()) wider.nodes.reset();
    for (const Strategy& strategy : priced_strategies(index_, catalogue_, wider).strategies) {
      if (strategy.gpu.name != asked_.gpu.name || strategy.nodes <= asked_.nodes) continue;
      add(Change::more_nodes, strategy, {"--nodes", std::to_string(strategy.nodes)});
    }
  }

  const ClusterIndex& index_;
  const GpuCatalogue& catalogue_;
  const Request& request_;
  const Strategy& asked_;
  AskedIs asked_is_;
  std::vector<WhatIf> found_;
};

/// One of each change, and of other types the soonest of each.
std::vector<WhatIf> chosen(std::vector<WhatIf> found, const Strategy& asked, seconds soon) {
  std::vector<WhatIf> out;
  std::erase_if(found, [&](const WhatIf& one) {
    const bool must_be_soon = one.change == Change::shorter_time || one.change == Change::fewer_gpus;
    return !is_sooner(one.strategy, asked) || (must_be_soon && *one.strategy.wait.p50 > soon);
  });
  // Where all GPUs of another type start sooner, some of them are not worth a line.
  std::vector<std::string> whole;
  for (const WhatIf& one : found) {
    if (one.change == Change::other_type) whole.push_back(one.strategy.gpu.name);
  }
  std::erase_if(found, [&](const WhatIf& one) {
    return one.change == Change::fewer_gpus && contains(whole, one.strategy.gpu.name);
  });
  // Fewer GPUs stand with the largest number first, and keep that order.
  std::stable_sort(found.begin(), found.end(), [](const WhatIf& a, const WhatIf& b) {
    if (a.change != b.change) return a.change < b.change;
    return a.change != Change::fewer_gpus && *a.strategy.wait.p50 < *b.strategy.wait.p50;
  });
  for (WhatIf& one : found) {
    const auto alike = std::count_if(out.begin(), out.end(), [&](const WhatIf& o) { return o.change == one.change; });
    const bool type_said = std::any_of(out.begin(), out.end(), [&](const WhatIf& o) {
      return o.change == one.change && o.strategy.gpu.name == one.strategy.gpu.name;
    });
    const std::size_t most = one.change == Change::other_type ? most_types : 1;
    if (static_cast<std::size_t>(alike) < most && !type_said) out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

std::string_view to_string(Change change) {
  constexpr std::array<std::string_view, 4> names = {"shorter_time", "fewer_gpus", "other_type", "more_nodes"};
  return names.at(static_cast<std::size_t>(change));
}

std::vector<WhatIf> what_ifs(const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request,
                             const Strategy& asked, const ForecastInputs& inputs, AskedIs asked_is) {
  const bool unknown = !asked.wait.p50 && !asked.wait.basis.starts_with("replay of ");
  if (unknown || asked.kind == Kind::checkpoint || wait_of(asked) < short_wait) return {};
  const ClusterIndex index = index_cluster(cluster, catalogue);
  std::vector<WhatIf> found = Variants(index, catalogue, request, asked, asked_is).all();
  std::vector<Strategy> strategies;
  strategies.reserve(found.size());
  for (const WhatIf& one : found) strategies.push_back(one.strategy);
  Forecast seen = forecast(index, strategies, inputs);
  if (seen.prospects.size() != strategies.size()) return {};
  const std::vector<ReplayTime> launches = start_latencies(inputs.launch_waits, inputs.seed, inputs.trials);
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    set_predicted_wait(strategies[i], seen.prospects[i], seen, launches);
  }
  mark_unknown_waits(strategies, cluster);
  for (std::size_t i = 0; i < found.size(); ++i) found[i].strategy = std::move(strategies[i]);
  return chosen(std::move(found), asked, inputs.window_delay);
}

const Strategy* soonest_whole(const Plan& plan) {
  const Strategy* soonest = nullptr;
  for (const Strategy& one : plan.strategies) {
    if (one.kind == Kind::checkpoint) continue;
    if (soonest == nullptr || wait_of(one) < wait_of(*soonest)) soonest = &one;
  }
  return soonest;
}

std::string change_in_words(const WhatIf& one, const Strategy& asked) {
  const std::string start = start_in_words(one.strategy);
  std::string text;
  switch (one.change) {
    case Change::shorter_time:
      text = format_duration(one.strategy.time_limit) + " instead of " + format_duration(asked.time_limit) +
             " starts " + start;
      break;
    case Change::fewer_gpus:
      text = counted(one.strategy.gpus(), "GPU") + " instead of " + std::to_string(asked.gpus()) +
             (one.strategy.gpus() == 1 ? " starts " : " start ") + start;
      break;
    case Change::other_type:
      text = title_of(one.strategy.gpu) + " instead of " + title_of(asked.gpu) + " starts " + start;
      break;
    case Change::more_nodes:
      text = counted(one.strategy.nodes, "node") + " instead of " + std::to_string(asked.nodes) + " start " + start;
      break;
  }
  return text;
}

std::string in_words(const WhatIf& one, const Strategy& asked) {
  std::string text = change_in_words(one, asked) + ":";
  for (const std::string& option : one.options) text += " " + option;
  return text;
}

}  // namespace rv::planner
