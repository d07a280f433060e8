// Several runs at once: waiting for them, and their output as it comes.
#pragma once

#include <vector>

#include "cli/options/invocation.h"
#include "cli/remote/hop/run_output.h"
#include "monitor/run/resolve_run.h"

namespace rv::cli {

struct WaitFor {
  bool started = false;  // until a run has its GPUs, not until it is over
  bool any = false;      // the first run ends the waiting
};

/// Waits, and prints a line on stderr for each run that ends. Returns the first exit code in the order of `runs` that
/// is not 0; with `any` that of the run that was first, whose ID is printed.
int wait_for_several(const std::vector<monitor::KnownRun>& runs, const WaitFor& how, const Invocation& invocation);

/// The output of all runs until they are over, each line behind its run's name (its ID where two have the same) and,
/// where a run writes several files, behind the node or element.
int follow_output_of_several(const std::vector<monitor::KnownRun>& runs, const remote::OutputChoice& choice,
                             const Invocation& invocation);

/// Prints the output of the same runs that exists now.
int show_output_of_several(const std::vector<monitor::KnownRun>& runs, const remote::OutputChoice& choice);

}  // namespace rv::cli
