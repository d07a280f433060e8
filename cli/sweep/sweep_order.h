// From words to a sweep, with everything refused that can be known to go wrong.
#pragma once

#include <string>
#include <vector>

#include "cli/options/invocation.h"
#include "cli/options/sweep_options.h"
#include "reports/sweep/order.h"

namespace rv::cli {

struct SweepWords {
  sweep::Order order;
  std::string report_dir;  // absolute
  std::string why;         // what was added to the command, for people
  bool in_container = false;
};

/// Writes the sweep's order into its report folder. Returns whether the folder held no sweep before. Throws Error.
bool begin_sweep(const SweepWords& words);

/// Throws Error(usage): no axis, a placeholder without one, a script or, if it is searched, a program that is not
/// there, options that contradict each other, a report folder of another sweep.
SweepWords sweep_words(const SweepOptions& options, const Invocation& invocation, bool program_here);

/// The points that are still to run, as far as that is known before, a line each: folder and command.
std::string points_text(const SweepWords& words);
nlohmann::ordered_json points_json(const SweepWords& words);

}  // namespace rv::cli
