// A plan for people (ranked table, rejected strategies below it) and for programs.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "base/os/terminal.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"
#include "planner/explain.h"

namespace rv::cli {

/// Ends with a newline. Fits terminal.width.
std::string plan_table(const planner::Plan& plan, const planner::Request& request, const os::Terminal& terminal);

/// --explain: why the first is first, and what would start sooner. Ends with a newline.
std::string explanation_text(const planner::Explanation& explanation, const os::Terminal& terminal);

/// "817", "46.4", "2.10", "0", "unknown": as many digits as matter.
std::string cost_text(std::optional<double> cost_su);

/// {"request", "strategies": [… + "script"], "rejected"}; `script` renders one strategy.
nlohmann::ordered_json plan_json(const planner::Plan& plan, const planner::Request& request,
                                 const std::function<std::string(const planner::Strategy&, int rank)>& script);

/// {"why": […], "sooner": […]}
nlohmann::ordered_json explanation_json(const planner::Explanation& explanation);

}  // namespace rv::cli
