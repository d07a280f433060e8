#include "cli/views/run_cost.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/natural_order.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

using Hours = std::chrono::duration<double, std::ratio<3600>>;

const monitor::Candidate* candidate_numbered(const monitor::RunView& view, int number) {
  const auto at = std::find_if(view.candidates.begin(), view.candidates.end(),
                               [&](const auto& one) { return one.candidate.number == number; });
  return at == view.candidates.end() ? nullptr : &at->candidate;
}

/// Before a candidate has won: the most expensive one; nothing if any candidate has no price.
std::optional<double> dearest(const monitor::RunView& view) {
  std::optional<double> most;
  for (const auto& candidate : view.candidates) {
    if (!candidate.candidate.cost_su) return std::nullopt;
    most = std::max(most.value_or(0), *candidate.candidate.cost_su);
  }
  return most;
}

/// `now`: the end of what has none yet; without it only what has ended counts.
RunCost used_so_far(const monitor::RunView& view, std::optional<monitor::TimePoint> now) {
  RunCost cost{.gpu_hours = 0, .spent = 0.0, .up_to = std::nullopt};
  for (const auto& span : view.used) {
    const auto* candidate = candidate_numbered(view, span.candidate);
    const auto ended = span.ended || !now ? span.ended : std::optional(view.ended.value_or(*now));
    if (candidate == nullptr || !ended) continue;
    const double hours = Hours(std::max(*ended - span.began, monitor::TimePoint::duration(0))).count();
    cost.gpu_hours += hours * candidate->gpus;
    const auto price = candidate->su_per_hour;
    cost.spent = price && cost.spent ? std::optional(*cost.spent + *price * hours) : std::nullopt;
  }
  return cost;
}

std::string cost_key(CostKey by, const monitor::RunRecord& record, const monitor::RunView& view) {
  switch (by) {
    case CostKey::month:
      return local_time(record.created).substr(0, 7);
    case CostKey::name:
      return record.name;
    case CostKey::type:
      break;
  }
  const auto type_of = [](const monitor::Candidate& one) { return one.gpus > 0 ? one.gpu_type : "no GPU"; };
  if (const auto* winner = winner_of(view)) return type_of(winner->candidate);
  std::set<std::string> types;
  for (const auto& candidate : view.candidates) types.insert(type_of(candidate.candidate));
  return types.size() == 1 ? *types.begin() : "several";
}

}  // namespace

RunCost cost_of(const monitor::RunView& view, monitor::TimePoint now) {
  const bool over = monitor::is_final(view.state);
  const auto* won = winner_of(view);
  RunCost cost = used_so_far(view, now);
  if (view.chain && won != nullptr) {
    cost.gpu_hours = Hours(view.chain->used).count() * won->candidate.gpus;
    cost.spent = view.chain->used_su;
  }
  if (over) {
    cost.up_to = cost.spent;
    return cost;
  }
  cost.up_to = won != nullptr ? won->candidate.cost_su : dearest(view);
  // What earlier attempts have used. The price of an array or a chain is that of all its parts.
  const auto before = view.array || view.chain ? std::optional(0.0) : used_so_far(view, std::nullopt).spent;
  if (cost.up_to) cost.up_to = before ? std::optional(*cost.up_to + *before) : std::nullopt;
  return cost;
}

std::vector<CostGroup> grouped_costs(CostKey by, const std::vector<monitor::RunRecord>& records,
                                     const std::vector<monitor::RunView>& views, const std::vector<RunCost>& costs) {
  std::map<std::string, CostGroup, NaturalOrder> groups;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const auto key = cost_key(by, records[i], views[i]);
    const auto state = views[i].state;
    const double spent = costs[i].spent.value_or(0);
    auto& group = groups[key];
    group.key = key;
    ++group.runs;
    group.gpu_hours += costs[i].gpu_hours;
    group.spent += spent;
    if (!costs[i].spent || !costs[i].up_to) ++group.without_price;
    if (!monitor::is_final(state)) {
      if (!views[i].winner) group.waiting += costs[i].up_to.value_or(0);
    } else if (state == monitor::RunState::stopped) {
      group.stopped_gpu_hours += costs[i].gpu_hours;
      group.stopped += spent;
    } else if (state != monitor::RunState::done) {
      group.failed_gpu_hours += costs[i].gpu_hours;
      group.failed += spent;
    }
  }
  std::vector<CostGroup> list;
  list.reserve(groups.size());
  for (auto& [key, group] : groups) list.push_back(std::move(group));
  return list;
}

}  // namespace rv::cli
