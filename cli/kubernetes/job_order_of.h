// From the words of rv accept --kubernetes to the order of a job.
#pragma once

#include "cli/kubernetes/pods/job_order.h"
#include "cli/options/accept_options.h"
#include "cli/settings/settings.h"

namespace rv::cli {

/// Without a name, a secret and a command: what both the manifests and --check need. Throws Error(usage).
kubernetes::JobOrder wanted_of(const AcceptOptions& options);

/// The complete order: with a generated name if none was given, a new secret, and the script that every pod runs.
kubernetes::JobOrder job_order_of(const AcceptOptions& options, const Settings& settings);

}  // namespace rv::cli
