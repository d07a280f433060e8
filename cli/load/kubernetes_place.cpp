#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/json/values_json.h"
#include "cli/kubernetes/pods/manifests.h"
#include "cli/kubernetes/pods/yaml_text.h"
#include "cli/load/place.h"

namespace rv::cli {
namespace {

void print_manifests(const kubernetes::JobOrder& order, bool as_json) {
  const auto documents = kubernetes::manifests(order);
  fmt::print("{}", as_json ? json_text({{"apiVersion", "v1"}, {"kind", "List"}, {"items", documents}})
                           : kubernetes::yaml_documents(documents));
  const std::string space = order.space.empty() ? "" : " --namespace " + order.space;
  fmt::print(stderr, "rv: acceptance {0}; once its pods are over: rv accept --kubernetes{1} --collect {0}\n",
             order.name, space);
}

}  // namespace

std::optional<int> KubernetesPlace::reach(Load& load) {
  const auto& options = load.options();
  if (!options.kubernetes->collect.empty()) {
    found_ = collect_reports(*options.kubernetes);
  } else if (!options.pod_logs.empty()) {
    found_ = saved_reports(options.pod_logs, options.request.name);
  } else {
    order_ = load.for_kubernetes();
  }
  return std::nullopt;
}

WorkEnd KubernetesPlace::run(Load& load) {
  if (!found_) {
    print_manifests(order_, load.invocation().json);
    return {.exit_code = 0};
  }
  write_reports(load.begin_for(found_->name), found_->reports);
  if (found_->trouble.empty()) return {};
  return {.troubles = {{.host = "", .what = found_->trouble, .advice = ""}}};
}

}  // namespace rv::cli
