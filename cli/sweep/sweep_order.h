// From the options and the command to a sweep; errors that can be known in advance are reported here.
#pragma once

#include <string>
#include <vector>

#include "cli/options/invocation.h"
#include "cli/options/sweep_options.h"
#include "reports/sweep/order.h"

namespace rv::cli {

/// A sweep that is ready to begin.
struct SweepSetup {
  sweep::Order order;
  std::string report_dir;  // absolute
  std::string why;         // what was added to the command, for people
  bool in_container = false;
};

/// Writes the sweep's order into its report folder. Returns whether the folder held no sweep before. Throws Error.
bool begin_sweep(const SweepSetup& setup);

/// Throws Error(usage): no axis, a placeholder without one, a script or, if it is searched, a program that is not
/// there, options that contradict each other, a report folder of another sweep.
SweepSetup sweep_setup(const SweepOptions& options, const Invocation& invocation, bool program_here);

/// The points that are still to run, as far as that is known before, a line each: folder and command.
std::string points_text(const SweepSetup& setup);
nlohmann::ordered_json points_json(const SweepSetup& setup);

}  // namespace rv::cli
