#include "cli/kubernetes/accept_on_kubernetes.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/json/values_json.h"
#include "cli/kubernetes/check_nodes.h"
#include "cli/kubernetes/clean_up.h"
#include "cli/kubernetes/collect_reports.h"
#include "cli/kubernetes/job_order_of.h"
#include "cli/kubernetes/pods/manifests.h"
#include "cli/kubernetes/pods/yaml_text.h"

namespace rv::cli {
namespace {

int print_manifests(const AcceptOptions& options, const Invocation& invocation) {
  const auto order = job_order_of(options, invocation.settings);
  const auto documents = kubernetes::manifests(order);
  if (invocation.json) {
    const nlohmann::ordered_json list = {{"apiVersion", "v1"}, {"kind", "List"}, {"items", documents}};
    fmt::print("{}", json_text(list));
  } else {
    fmt::print("{}", kubernetes::yaml_documents(documents));
  }
  const std::string space = order.space.empty() ? "" : " --namespace " + order.space;
  fmt::print(stderr, "rv: acceptance {0}; once its pods are over: rv accept --kubernetes{1} --collect {0}\n",
             order.name, space);
  return 0;
}

}  // namespace

int accept_on_kubernetes(const AcceptOptions& options, const Invocation& invocation) {
  const auto& asked = *options.kubernetes;
  const int things = int{asked.check} + int{asked.cleanup} + int{!asked.collect.empty()} + int{!options.judge.empty()};
  if (things > 1) {
    throw Error("--check, --cleanup, --collect and --judge can't be combined", "keep only one of them",
                ExitCode::usage);
  }
  if (asked.older_than && !asked.cleanup) {
    throw Error("--older-than needs --cleanup", "add --cleanup; --ttl is how long a new job stays", ExitCode::usage);
  }
  if (!asked.from.empty() && !asked.check) {
    throw Error("--from needs --check", "add --check; saved logs are judged by --judge FILE", ExitCode::usage);
  }
  if (asked.check) return check_nodes(options, invocation);
  if (asked.cleanup) return clean_up(options, invocation);
  if (!asked.collect.empty()) return collect_reports(options, invocation);
  if (!options.judge.empty()) return judge_logs(options, invocation);
  return print_manifests(options, invocation);
}

}  // namespace rv::cli
