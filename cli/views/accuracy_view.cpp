#include "cli/views/accuracy_view.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"

namespace rv::cli {

namespace {

using OrderedJson = nlohmann::ordered_json;

std::string percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

std::string span(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

OrderedJson figure(bool known, double value) {
  return known ? OrderedJson(value) : OrderedJson();
}

}  // namespace

std::string accuracy_text(const std::vector<monitor::ObservedWait>& observed) {
  const auto a = monitor::accuracy(observed);
  if (a.jobs == 0) return "None of your runs has started yet.\n";
  std::string text = fmt::format("{:24}{}\n{:24}{}\n", "runs started", a.jobs, "with a predicted wait", a.predicted);
  if (a.predicted == 0) return text;
  text += fmt::format("{:24}{}\n{:24}{}\n", "median error", span(a.median_error_s), "P90 error", span(a.p90_error_s));
  text += fmt::format("{:24}{}\n{:24}{}\n", "within 1 minute", percent(a.within_1_min), "within 10 minutes",
                      percent(a.within_10_min));
  // A start that is due now comes a moment later: within the minute between two passes of the scheduler.
  if (a.coverage_1_min) text += fmt::format("{:24}{}\n", "P10 to P90, +-1 minute", percent(*a.coverage_1_min));
  return text;
}

OrderedJson accuracy_json(const std::vector<monitor::ObservedWait>& observed) {
  const auto a = monitor::accuracy(observed);
  const bool any = a.predicted > 0;
  OrderedJson document = OrderedJson::object();
  document["runs"] = a.jobs;
  document["predicted"] = a.predicted;
  document["median_error_s"] = figure(any, a.median_error_s);
  document["p90_error_s"] = figure(any, a.p90_error_s);
  document["within_1_min"] = figure(any, a.within_1_min);
  document["within_10_min"] = figure(any, a.within_10_min);
  document["coverage_p10_p90"] = figure(a.coverage.has_value(), a.coverage.value_or(0));
  document["coverage_1_min"] = figure(a.coverage_1_min.has_value(), a.coverage_1_min.value_or(0));
  document["observed"] = OrderedJson::array();
  for (const auto& one : observed) {
    document["observed"].push_back(parse_json<OrderedJson>(monitor::to_line(one), "a started run"));
  }
  return document;
}

}  // namespace rv::cli
