#include "reports/sweep/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "shared/median.h"
#include "shared/number.h"

namespace rv::sweep {
namespace {

// RSL-RL up to 2.x, then 3 and later; "Training time" is Isaac Lab's.
constexpr std::array<std::pair<const char*, const char*>, 10> built_in{{
    {steps_per_s, "Computation: *([0-9.]+) *steps/s"},
    {steps_per_s, "Steps per second: *([0-9.]+)"},
    {"collection_s", "collection: *([0-9.]+) *s"},
    {"collection_s", "Collection time: *([0-9.]+)"},
    {"learning_s", "learning *([0-9.]+) *s"},
    {"learning_s", "Learning time: *([0-9.]+)"},
    {"iteration_s", "Iteration time: *([0-9.]+)"},
    {"training_s", "Training time: *([0-9.]+)"},
    {"timesteps", "Total timesteps: *([0-9]+)"},
    {"timesteps", "Total steps: *([0-9]+)"},
}};

Error refused(std::string_view text, const std::string& fault) {
  return {fmt::format("--metric {}: {}", text, fault),
          "write a name and an expression with the figure in parentheses: --metric 'loss=loss ([0-9.]+)'",
          ExitCode::usage};
}

}  // namespace

double Metric::typical() const {
  return values.size() < 2 ? values.front() : median({values.begin() + 1, values.end()});
}

MetricOption parse_metric(std::string_view text) {
  const auto equals = text.find('=');
  MetricOption option;
  option.name = text.substr(0, equals);
  if (equals == std::string_view::npos || option.name.empty() ||
      option.name.find_first_of(" \t,\"'()[]*") != std::string::npos) {
    throw refused(text, "expected a name before \"=\"");
  }
  option.pattern = text.substr(equals + 1);
  const RegexPattern expression(option.pattern);
  if (!expression.fault().empty()) throw refused(text, "invalid regular expression: " + expression.fault());
  if (!expression.has_group()) throw refused(text, "the expression needs a group (…) for the figure");
  return option;
}

std::optional<double> figure_from(std::string_view text) {
  std::string digits(text);
  std::erase(digits, ',');
  return number_in<double>(digits);
}

MetricReader::MetricReader(const std::vector<MetricOption>& options) {
  const auto add = [&](const std::string& name, const std::string& pattern) {
    patterns_.push_back({name, std::make_unique<RegexPattern>(pattern)});
  };
  for (const auto& [name, pattern] : built_in) {
    const bool replaced =
        std::any_of(options.begin(), options.end(), [&, known = name](const auto& one) { return one.name == known; });
    if (!replaced) add(name, pattern);
  }
  for (const auto& option : options) add(option.name, option.pattern);
}

bool MetricReader::read(const std::string& line) {
  bool any = false;
  for (const auto& pattern : patterns_) {
    const auto text = pattern.expression->first_group(line);
    const auto value = text ? figure_from(*text) : std::nullopt;
    if (!value) continue;
    metrics_[pattern.name].values.push_back(*value);
    any = true;
  }
  return any;
}

bool MetricReader::read_json(const std::string& line) {
  const auto document = parse_json_or_discard<nlohmann::ordered_json>(line);
  if (!document.is_object()) return false;
  bool any = false;
  for (const auto& [name, value] : document.items()) {
    if (!value.is_number() || !std::isfinite(value.get<double>())) continue;
    metrics_[name].values.push_back(value.get<double>());
    any = true;
  }
  return any;
}

Metrics MetricReader::metrics() const {
  auto all = metrics_;
  if (const auto total = metrics_.find("timesteps"); total != metrics_.end()) {
    const auto& values = total->second.values;
    const double before = values.size() < 2 ? 0 : values[values.size() - 2];
    all["timesteps_per_iteration"].values.push_back(values.back() - before);
  }
  return all;
}

}  // namespace rv::sweep
