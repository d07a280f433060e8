// The options of rv accept --kubernetes.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_size.h"

namespace CLI {
class App;
}

namespace rv::cli {

struct KubernetesOptions {
  bool wanted = false, check = false, cleanup = false;
  std::string starter = "job";  // --operator
  std::string image, space, pull_secret, gpu_resource = "nvidia.com/gpu";
  std::optional<std::chrono::seconds> keep, older_than;
  std::optional<Mebibytes> shared_memory;
  std::vector<std::string> rdma, node_selector, tolerations, variables;  // as typed
  std::string from;                                                      // a file in place of kubectl's answer
  std::string collect;                                                   // the acceptance whose logs are read
};

/// Adds the options to rv accept; those without a meaning elsewhere need --kubernetes.
std::shared_ptr<KubernetesOptions> add_kubernetes_options(CLI::App& command);

}  // namespace rv::cli
