#include "reports/pages/training_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/documents/json_members.h"
#include "reports/pages/html.h"
#include "reports/pages/live_chart.h"

namespace rv::pages {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_points = 400;

std::vector<std::optional<double>> numbers(const Json& object, const char* key) {
  std::vector<std::optional<double>> all;
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (found == object.end() || !found->is_array()) return all;
  for (const auto& one : *found) {
    const bool known = one.is_number() && std::isfinite(one.get<double>());
    all.push_back(known ? std::optional(one.get<double>()) : std::nullopt);
  }
  return all;
}

/// Means of neighbours where there are more than are drawn. `last`: the x of the last value, they are evenly apart.
Points by_step(const std::vector<std::optional<double>>& values, double last, double scale = 1) {
  Points points;
  const auto each = values.size() / most_points + 1;
  for (std::size_t i = 0; i < values.size(); i += each) {
    double sum = 0;
    std::size_t known = 0;
    const auto end = std::min(i + each, values.size());
    for (auto k = i; k < end; ++k) {
      if (!values[k]) continue;
      sum += *values[k];
      ++known;
    }
    if (known == 0) continue;
    const double x = static_cast<double>(end) * last / static_cast<double>(values.size());
    points.emplace_back(x, scale * sum / static_cast<double>(known));
  }
  return points;
}

Points by_second(const Json& load, const char* key) {
  Points points;
  const auto seconds = numbers(load, "seconds"), values = numbers(load, key);
  for (std::size_t i = 0; i < std::min(seconds.size(), values.size()); ++i) {
    if (seconds[i] && values[i]) points.emplace_back(*seconds[i], *values[i]);
  }
  return points;
}

void take_load(Training& one, const Json& json) {
  const auto load = json.find("load");
  if (load == json.end() || !load->is_object()) return;
  one.power = by_second(*load, "power_w");
  one.clock = by_second(*load, "clock_sm_mhz");
  one.temperature = by_second(*load, "temperature_c");
  one.throttled = by_second(*load, "throttled_s");
}

std::string chart(const char* title, const char* x, const char* unit, const std::vector<Training>& trainings,
                  Points Training::*points, std::string_view heading) {
  LineChart drawn{.x_name = x, .unit = unit};
  for (const auto& one : trainings) {
    if (!(one.*points).empty()) drawn.lines.push_back({.name = one.name, .points = one.*points});
  }
  return drawn.lines.empty() ? "" : fmt::format("<{0}>{1}</{0}>\n{2}", heading, title, live_chart(drawn));
}

}  // namespace

std::optional<Training> training_of_results(const Json& results) {
  if (!results.is_object()) return std::nullopt;
  const auto losses = numbers(results, "losses"), seconds = numbers(results, "step_seconds");
  const auto model = results.find("model");
  if (model == results.end() || !model->is_string() || losses.empty()) return std::nullopt;
  Training one{.name = model->get<std::string>()};
  one.losses = by_step(losses, static_cast<double>(losses.size()));
  const auto batch = member_number(results, "global_batch_size"), samples = member_number(results, "total_samples");
  one.samples = batch && *batch > 0 && samples;
  if (one.samples) {
    one.pace = by_step(seconds, *samples / *batch);
    for (auto& [step, value] : one.pace) value = value > 0 ? *batch / value : 0;
  }
  take_load(one, results);
  return one;
}

std::optional<Training> training_of_params(const Json& params) {
  if (!params.is_object()) return std::nullopt;
  const auto losses = numbers(params, "losses");
  if (losses.empty()) return std::nullopt;
  const double steps = member_number(params, "steps").value_or(0) - member_number(params, "resumed_at").value_or(0);
  const double last = steps > 0 ? steps : static_cast<double>(losses.size());
  Training one;
  one.losses = by_step(losses, last);
  take_load(one, params);
  const auto samples = member_number(params, "samples_per_step");
  if (!samples) {
    one.pace = by_step(numbers(params, "step_milliseconds"), last);
    return one;
  }
  one.samples = true;
  one.pace = by_step(numbers(params, "step_milliseconds"), member_number(params, "timed_steps").value_or(last));
  for (auto& [step, value] : one.pace) value = value > 0 ? *samples / value * 1e3 : 0;
  return one;
}

std::string training_html(const std::vector<Training>& trainings, std::string_view heading) {
  const bool samples = std::any_of(trainings.begin(), trainings.end(), [](const auto& t) { return t.samples; });
  const auto drawn = [&](const char* title, const char* x, const char* unit, Points Training::*points) {
    return chart(title, x, unit, trainings, points, heading);
  };
  return drawn("Loss", "step", "loss", &Training::losses) +
         (samples ? drawn("Throughput", "step", "samples/s", &Training::pace)
                  : drawn("Time of a step", "step", "ms", &Training::pace)) +
         drawn("Power during the timed steps", "seconds", "W", &Training::power) +
         drawn("SM clock during the timed steps", "seconds", "MHz", &Training::clock) +
         drawn("Temperature during the timed steps", "seconds", "°C", &Training::temperature) +
         drawn("Throttled during the timed steps, until then", "seconds", "s", &Training::throttled);
}

}  // namespace rv::pages
