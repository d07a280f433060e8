// A plan for people (ranked table, rejected strategies below it) and for programs.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/os/terminal.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"
#include "planner/what_if.h"

namespace rv::cli {

/// Ends with a newline. Fits terminal.width.
std::string plan_table(const planner::Plan& plan, const planner::Request& request, const os::Terminal& terminal);

/// A heading with sentences below it; empty where there are none. Ends with a newline.
std::string sentences_text(const std::string& heading, const std::vector<std::string>& sentences,
                           const os::Terminal& terminal);

/// "817", "46.4", "2.10", "0", "unknown": as many digits as matter.
std::string cost_text(std::optional<double> cost_su);

/// {"request", "strategies": [… + "script"], "rejected"}; `script` renders one strategy.
nlohmann::ordered_json plan_json(const planner::Plan& plan, const planner::Request& request,
                                 const std::function<std::string(const planner::Strategy&, int rank)>& script);

/// [{"change", "options", "text", and the keys of a strategy without "rank"}]; `asked`: what the texts compare with.
nlohmann::ordered_json what_if_json(const std::vector<planner::WhatIf>& what_ifs, const planner::Strategy& asked);

}  // namespace rv::cli
