#include "planner/explain.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/walltime.h"
#include "planner/make_plan.h"

namespace rv::planner {

namespace {

using std::chrono::seconds;

/// Waits to the minute; what is below one is "at once".
std::string wait_in_words(seconds wait) {
  if (wait < seconds(60)) return "at once";
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(wait);
  return "in about " + format_duration(minutes);
}

std::string cost_in_words(double cost) {
  const double shown = std::abs(cost) >= 10 ? std::round(cost) : std::round(cost * 10) / 10;
  std::string text = std::to_string(shown);
  text.erase(text.find('.') + (shown == std::round(shown) ? 0 : 2));
  return text + " SU";
}

std::string title(const Strategy& strategy) {
  return strategy.gpu.title.empty() ? strategy.gpu.name : strategy.gpu.title;
}

std::string compared(const Strategy& first, const Strategy& other) {
  std::string text = way_in_words(other);
  if (!other.wait.p50) {
    text += ": its wait is unknown";
  } else {
    text += " starts " + wait_in_words(*other.wait.p50);
  }
  if (other.finish && first.finish && *other.finish > *first.finish + seconds(60)) {
    text += ", done " +
            format_duration(std::chrono::duration_cast<std::chrono::minutes>(*other.finish - *first.finish)) + " later";
  }
  if (other.cost_su && first.cost_su && *other.cost_su != *first.cost_su) {
    const double more = *other.cost_su - *first.cost_su;
    text += ", " + cost_in_words(std::abs(more)) + (more > 0 ? " more" : " less");
  }
  return text;
}

bool much_sooner(const Strategy& other, seconds wait) {
  return other.wait.p50 && *other.wait.p50 + std::max(seconds(300), wait / 10) <= wait;
}

void explain_first(Explanation& told, const Plan& plan, const Goal& goal) {
  const Strategy& first = plan.strategies.front();
  std::string text = way_in_words(first) + " is first: ";
  if (goal.aim == Aim::cheapest) {
    text += first.cost_su ? "nothing costs less than its " + cost_in_words(*first.cost_su) : "no price is known";
  } else if (!first.wait.p50) {
    text += "no wait is known, so price and size decide";
  } else {
    text += "it starts " + wait_in_words(*first.wait.p50);
    if (first.finish)
      text += " and is done in about " + format_duration(std::max(seconds(60), *first.finish / 60 * 60));
    text += goal.aim == Aim::mix ? ", the best of time and cost together" : ", no other strategy is done sooner";
  }
  told.why.push_back(text + " (" + first.wait.basis + ")");
  // The next of each other model tells most.
  std::vector<std::string> models{first.gpu.name};
  for (const Strategy& other : plan.strategies) {
    if (contains(models, other.gpu.name) || models.size() > 3) continue;
    models.push_back(other.gpu.name);
    told.why.push_back(compared(first, other));
  }
}

void add_shorter(Explanation& told, const Strategy& first) {
  if (!first.wait.window || first.kind == Kind::checkpoint) return;
  told.sooner.push_back("ask " + format_duration(*first.wait.window) + " instead of " +
                        format_duration(first.time_limit) + " of " + way_in_words(first) +
                        ": so much would start soon, before the jobs ahead");
}

}  // namespace

std::string way_in_words(const Strategy& strategy) {
  std::string text = std::to_string(strategy.gpus_per_node) + "× " + title(strategy);
  if (strategy.nodes > 1) {
    text = std::to_string(strategy.nodes) + "×" + std::to_string(strategy.gpus_per_node) + " " + title(strategy);
  }
  return text + " on " + listed(strategy.partitions);
}

Explanation explain(const Plan& plan, const Cluster& cluster, const GpuCatalogue& catalogue, const Request& request,
                    const ForecastInputs& inputs) {
  Explanation told;
  if (plan.strategies.empty()) return told;
  explain_first(told, plan, inputs.goal);
  const Strategy* soonest = nullptr;
  for (const Strategy& one : plan.strategies) {
    if (one.kind == Kind::checkpoint) continue;
    const seconds known = one.wait.p50.value_or(seconds::max());
    if (soonest == nullptr || known < soonest->wait.p50.value_or(seconds::max())) soonest = &one;
  }
  if (soonest == nullptr) return told;
  const seconds wait = soonest->wait.p50.value_or(std::chrono::hours(24 * 7));
  if (wait < seconds(300)) return told;
  add_shorter(told, *soonest);

  Request wider = request;
  wider.types.clear();
  wider.partitions.clear();
  wider.splits = Splits::all;
  wider.single_node = false;
  wider.nodes.reset();
  const Plan all = make_plan(cluster, catalogue, wider, inputs);
  std::vector<std::string> said;
  for (const Strategy& other : all.strategies) {
    if (other.kind == Kind::checkpoint || !much_sooner(other, wait)) continue;
    std::string what = title(other) + " instead of " + title(*soonest);
    if (other.gpu.name == soonest->gpu.name) {
      if (other.nodes == soonest->nodes) continue;
      what = counted(other.nodes, "node") + " instead of " + std::to_string(soonest->nodes);
    }
    if (contains(said, what) || said.size() == 3) continue;
    said.push_back(what);
    told.sooner.push_back(what + ": " + way_in_words(other) + " starts " + wait_in_words(*other.wait.p50));
  }
  return told;
}

}  // namespace rv::planner
