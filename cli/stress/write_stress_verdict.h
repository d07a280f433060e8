// From the reports of a stress run to verdict, files and exit code.
#pragma once

#include <string>

#include "cli/options/stress_options.h"

namespace rv::cli {

struct Trouble {
  std::string what, advice;  // empty: none
  bool ended_all = false;    // the other workers were ended because of it: their end is not a fault
  bool not_over = false;     // it continues: it can't be judged yet
};

/// Before anything runs: throws Error(usage) where --report-dir or the file of --junit can't be written.
void check_outputs(const StressOptions& options);

/// Judges the reports in `folder`/reports, writes stress.json and stress.html to `folder` and to --report-dir, the
/// --junit file, and prints; --cleanup removes `folder` then, unless the run continues. `where`: the run's ID, or the
/// folder's name. `trouble`: how the run ended where that was not well and no report says why, and what to do. Returns
/// the exit code. Throws Error: where the workers or the launcher were refused before anything was started, with the
/// exit code for that, and where a file can't be written.
int write_stress_verdict(const std::string& folder, const std::string& where, const Trouble& trouble,
                         const StressOptions& options, const Invocation& invocation);

}  // namespace rv::cli
