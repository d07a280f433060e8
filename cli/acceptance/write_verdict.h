// From the reports of an acceptance to verdict, files and exit code.
#pragma once

#include <string>
#include <vector>

#include "cli/options/accept_options.h"
#include "cli/settings/settings.h"
#include "reports/accept/judgement.h"

namespace rv::cli {

/// Before anything runs: reads the baselines, once, into the options. Throws Error(usage) for those that can't be read,
/// and where --report-dir or the file of --save-baseline can't be written.
void check_files(AcceptOptions& options, const Settings& settings);

/// Judges what lies in `folder`, writes accept.json and accept.html there and to --report-dir, keeps the GPUs' history
/// under `where` (the run's ID, or the folder's name), saves a baseline if that was asked, and prints. `trouble`: how
/// the run ended where that was not well. Returns the exit code. Throws Error where a file can't be written.
int write_verdict(const std::string& folder, const std::string& where, const std::string& trouble,
                  const AcceptOptions& options, const Invocation& invocation);

/// The same with the caller's findings in place of `trouble`, which make the verdict an error.
int write_verdict(const std::string& folder, const std::string& where, const std::vector<accept::Finding>& troubles,
                  const AcceptOptions& options, const Invocation& invocation);

/// --history: the table, or JSON. Throws Error(usage) where nothing is known of it.
int show_history(const std::string& which, const Invocation& invocation);

}  // namespace rv::cli
