// `--preflight`: the job's nodes are tested before the command starts.
#pragma once

#include <optional>

#include "cli/options/request_options.h"
#include "templates/job_spec.h"

namespace rv::cli {

/// Adds --preflight and --no-preflight. Without either, `wanted` keeps its value; the last one counts.
void add_preflight_options(CLI::App& command, std::optional<bool>& wanted);

/// Adds the test to `job`. `usual`: the setting `preflight`, for runs with several GPUs that have neither option; a run
/// that can't be tested starts without. Throws Error(usage) if --preflight was given for an array, a run without GPUs
/// or slices of a GPU.
void put_preflight(templates::JobSpec& job, std::optional<bool> wanted, const RequestOptions& request, bool usual);

}  // namespace rv::cli
