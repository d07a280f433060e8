// A launch before it has begun: its plan, and the scripts that would be submitted. What is shown before a run and what
// is submitted are made here.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/launch/launch_options.h"
#include "cli/launch/order_script.h"
#include "cli/launch/planning.h"
#include "cli/launch/project_environment.h"
#include "planner/what_if.h"

namespace rv::cli {

/// Outlived by what it refers to.
struct Preview {
  const LaunchOptions& options;
  WorkOrder order;  // its job with what has been looked up
  const Invocation& invocation;
  std::optional<ProjectNeeds> needs;
  Planned planned;
  int width = 1;  // how many may race
  ResolvedInputs inputs;
  ScriptRun run;                             // one that does not exist, for scripts that are only shown
  std::optional<std::string> launcher_note;  // the line of fit_launcher()
  std::vector<planner::WhatIf> sooner;       // requests that would start sooner; see add_what_ifs()

  /// The strategies that would be submitted, by their places in the plan, the first first.
  std::vector<std::size_t> races(const planner::Plan& plan) const;
  std::vector<planner::Strategy> racing() const;
  /// The script of the strategy at this position of the plan: as it would be submitted, or, if it would not, as the
  /// candidate that its rank (from 1) names. Throws Error(usage) for a segment that leaves no time to work.
  std::string script(std::size_t place) const;
};

/// The dependencies that the job's project declares, if the options use them.
std::optional<ProjectNeeds> needs_of(const LaunchOptions& options, const WorkOrder& order,
                                     const Invocation& invocation);

/// Plans, with the strategies that fit the command's launcher, and looks up what the order's job needs. Throws Error as
/// plan_for() and resolve_inputs() do.
Preview preview_of(const LaunchOptions& options, const WorkOrder& order, const Invocation& invocation,
                   std::optional<ProjectNeeds> needs, std::optional<KnownCluster> known = std::nullopt);

/// Prints the launcher's note on stderr, unless --json.
void say_launcher_note(const Preview& preview);

/// Asks the controller about the strategies that would race.
void probe(Preview& preview);

/// Predicts what other requests would start sooner, for a plan that is shown: it takes about as long as the plan.
void add_what_ifs(Preview& preview);

/// Each of them as a sentence.
std::vector<std::string> sooner_in_words(const Preview& preview);

/// plan_json() with these scripts, and "what_if".
nlohmann::ordered_json preview_json(const Preview& preview);

/// The balance that the plan leaves; nothing if it is unknown.
std::optional<Balance> balance_after(const Preview& preview);

/// The plan as a table, what would start sooner, and what the plan leaves of the balance.
void print_preview(const Preview& preview);

}  // namespace rv::cli
