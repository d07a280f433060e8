// The manifests of an acceptance.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "cli/kubernetes/pods/job_order.h"

namespace rv::kubernetes {

/// In the order in which they must be made: the ranks' secret, the service by which pods find each other (an indexed
/// Job of several pods alone: the operators make their own), the job. Throws Error(usage) for values that Kubernetes
/// would refuse, or would take for something else.
std::vector<nlohmann::ordered_json> manifests(const JobOrder& order);

/// The template of every pod; part of the job. `container` is the one container's name.
nlohmann::ordered_json pod_template(const JobOrder& order, const std::string& container);

/// The names and values that Kubernetes would refuse. Throws Error(usage).
void check_names(const JobOrder& order);

}  // namespace rv::kubernetes
