// From the words of rv accept --kubernetes to the order of a job.
#pragma once

#include "cli/kubernetes/pods/job_order.h"
#include "cli/options/accept_options.h"

namespace rv::cli {

/// The order without the pods' command: with a new secret, and a generated name if none was given. Throws Error(usage).
kubernetes::JobOrder job_order_of(const AcceptOptions& options);

}  // namespace rv::cli
