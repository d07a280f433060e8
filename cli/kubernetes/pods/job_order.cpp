#include "cli/kubernetes/pods/job_order.h"

#include <fmt/format.h>

namespace rv::kubernetes {

std::vector<std::pair<std::string, std::string>> labels_of_all() {
  return {{"app.kubernetes.io/name", "rv-accept"}, {"app.kubernetes.io/managed-by", "rv"}};
}

std::string label_selector(const std::string& name) {
  auto labels = labels_of_all();
  if (!name.empty()) labels.emplace_back(name_label, name);
  std::string text;
  for (const auto& [key, value] : labels) text += fmt::format("{}{}={}", text.empty() ? "" : ",", key, value);
  return text;
}

std::string gpu_taint(const std::string& gpu_resource) {
  return gpu_resource.substr(0, gpu_resource.find('/')) + "/gpu";
}

std::string first_pod(const JobOrder& order) {
  // A pod of an indexed Job is called JOB-INDEX below the name of its service; JobSet puts the names of its own parts
  // between, and creates a service of its own name.
  return order.name + (order.by == Operator::jobset ? "-node-0-0." : "-0.") + order.name;
}

}  // namespace rv::kubernetes
