#include "planner/explain.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/walltime.h"

namespace rv::planner {

namespace {

using std::chrono::seconds;

/// A wait below a minute is "now".
std::string wait_in_words(seconds wait) {
  if (wait < seconds(60)) return "now";
  return "in about " + rounded_duration(wait);
}

std::string cost_in_words(double cost) {
  const double shown = std::abs(cost) >= 10 ? std::round(cost) : std::round(cost * 10) / 10;
  std::string text = std::to_string(shown);
  text.erase(text.find('.') + (shown == std::round(shown) ? 0 : 2));
  return text + " SU";
}

std::string compared(const Strategy& first, const Strategy& other) {
  std::string text = way_in_words(other);
  if (!other.wait.p50) {
    text += ": its wait is unknown";
  } else {
    text += " starts " + wait_in_words(*other.wait.p50);
  }
  if (other.finish && first.finish && *other.finish > *first.finish + seconds(60)) {
    text += ", finishes " + rounded_duration(*other.finish - *first.finish) + " later";
  }
  if (other.cost_su && first.cost_su && *other.cost_su != *first.cost_su) {
    const double more = *other.cost_su - *first.cost_su;
    text += ", " + cost_in_words(std::abs(more)) + (more > 0 ? " more" : " less");
  }
  return text;
}

void explain_first(std::vector<std::string>& reasons, const Plan& plan, const Goal& goal) {
  const Strategy& first = plan.strategies.front();
  std::string text = way_in_words(first) + " ranks first: ";
  if (goal.aim == Aim::cheapest) {
    text += first.cost_su ? "it has the lowest cost, " + cost_in_words(*first.cost_su) : "no price is known";
  } else if (!first.wait.p50) {
    text += "no wait is known, so cost and size decide the rank";
  } else {
    text += "it starts " + wait_in_words(*first.wait.p50);
    if (first.finish) text += " and finishes in about " + rounded_duration(std::max(seconds(60), *first.finish));
    if (goal.aim == Aim::mix) {
      text += ", the best combination of time and cost";
    } else if (plan.as_good > 1) {
      text += first.cost_su ? ", and has the smallest GPU of the types with this wait and cost"
                            : ", and has the smallest GPU of the types with this wait";
    } else {
      text += ", and no other strategy finishes sooner";
    }
  }
  if (first.wait.basis != free_now_basis) {
    text += " (" + first.wait.basis + ")";
  } else if (goal.aim == Aim::cheapest) {
    text += "; its nodes are free now";
  }
  reasons.push_back(std::move(text));
  // The next of each other model tells most.
  std::vector<std::string> models{first.gpu.name};
  for (const Strategy& other : plan.strategies) {
    if (contains(models, other.gpu.name) || models.size() > 3) continue;
    models.push_back(other.gpu.name);
    reasons.push_back(compared(first, other));
  }
}

}  // namespace

std::string way_in_words(const Strategy& strategy) {
  return shape_in_words(strategy) + " on " + listed(strategy.partitions);
}

std::vector<std::string> reasons_for_order(const Plan& plan, const Goal& goal) {
  std::vector<std::string> reasons;
  if (!plan.strategies.empty()) explain_first(reasons, plan, goal);
  return reasons;
}

}  // namespace rv::planner
