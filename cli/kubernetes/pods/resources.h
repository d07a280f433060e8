// Amounts of resources, and what a pod takes of a node.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace rv::kubernetes {

/// By resource: processors in cores, memory in bytes, GPUs and other devices counted.
using Amounts = std::map<std::string, double>;

/// "500m", "1.5Gi", "8", "1e3": a quantity of Kubernetes. Nothing for what is none.
std::optional<double> quantity(const std::string& text);

/// The members of an object that are quantities.
Amounts amounts_of(const nlohmann::ordered_json& json);

/// Returns what the scheduler reserves for a pod, by its spec: the containers' sum with all sidecars (init containers
/// that restart always), or the most that an init container needs beside the sidecars before it, whichever is larger
/// (PodRequests() in k8s.io/component-helpers/resource). For processors, memory and huge pages the pod's own
/// resources come first. The overhead of the pod's runtime class is added.
Amounts requests_of_pod(const nlohmann::ordered_json& spec);

}  // namespace rv::kubernetes
