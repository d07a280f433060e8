// The names of steps, and what they say of a step's figures. A name is also the folder of the step's reports, so a
// judgement knows a step by it alone, with the reports of an earlier rv, too.
#pragma once

#include <string>
#include <string_view>

#include "reports/accept/suite.h"

namespace rv::accept::step_name {

inline constexpr std::string_view compute = "compute";  // what a node does under its usual load: all GPUs at once
inline constexpr std::string_view compute_link = "compute-link";
inline constexpr std::string_view compute_in_turn = "compute-in-turn";
inline constexpr std::string_view compute_sustained = "compute-sustained";
inline constexpr std::string_view health_before = "health-before";
inline constexpr std::string_view health_after = "health-after";

/// The step of a suite that has one step, or two: one in which the ranks of each node meet, and one in which those of
/// all nodes do.
std::string of(Suite suite, bool all_nodes = false);
bool is_of_all_nodes(std::string_view name);

/// Whether it is the suite's step, or one of its steps.
bool is_of(Suite suite, std::string_view name);
/// Whether its figures have names of their own ("gemm_bf16"). Those of the other compute steps are the same ones,
/// measured in another way, and are named after the step too.
bool gives_plain_figures(std::string_view name);

}  // namespace rv::accept::step_name
