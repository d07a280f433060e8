// How a training went: its loss and pace step by step, and what its GPU did meanwhile.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rv::pages {

using Points = std::vector<std::pair<double, double>>;

struct Training {
  std::string name = {};
  Points losses = {};  // by step
  Points pace = {};    // by step: samples a second, or milliseconds where `samples` is false
  bool samples = false;
  Points power = {}, clock = {}, temperature = {};  // by second: W, MHz, °C
  Points throttled = {};                            // by second: the seconds until then in which it was throttled
};

/// Of rv-train's results.json. Nothing where it is none.
std::optional<Training> training_of_results(const nlohmann::ordered_json& results);

/// Of the params of rv-train's figure `train`, `ddp_train` or of a model, in a report. Nothing where they hold no
/// losses.
std::optional<Training> training_of_params(const nlohmann::ordered_json& params);

/// All of them in each chart, below a heading of its own. Empty without a point.
std::string training_html(const std::vector<Training>& trainings, std::string_view heading = "h3");

}  // namespace rv::pages
