// `--preflight`: the job's nodes are tested before the command starts.
#pragma once

#include "cli/options/request_options.h"
#include "templates/job_spec.h"

namespace rv::cli {

/// Adds the flag.
void add_preflight_option(CLI::App& command, templates::JobSpec& job);

/// Throws Error(usage) if a job with --preflight is an array, has no GPUs, or slices of a GPU.
void check_preflight(const templates::JobSpec& job, const RequestOptions& request);

}  // namespace rv::cli
