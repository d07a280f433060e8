// rv stress --local, and what every stress run without Slurm needs.
#pragma once

#include <string>
#include <vector>

#include "cli/options/stress_options.h"

namespace rv::cli {

/// Runs the worker on this machine and judges what it finds. Returns the exit code.
int stress_here(const StressOptions& options, const Invocation& invocation);

/// The folder of rv-stress: --worker-folder, or as in workers_folder.h. Throws Error(usage).
std::string rv_stress_folder(const StressOptions& options, const Settings& settings);

/// $RV_HOME/stress, which has a folder for each run without Slurm.
std::string stress_folders(const std::string& home);

/// --dry-run: the worker's command, a line or with --json a document.
void print_words(const std::string& worker, const std::vector<std::string>& words, const Invocation& invocation);

}  // namespace rv::cli
