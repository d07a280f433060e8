#include "cli/kubernetes/pod_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/text.h"
#include "cli/kubernetes/kubectl.h"
#include "cli/kubernetes/pods/cluster_facts.h"
#include "cli/kubernetes/pods/job_order.h"
#include "cli/kubernetes/pods/names.h"

namespace rv::cli {
namespace {

namespace fs = std::filesystem;

std::string joined_troubles(const std::string& a, const std::string& b) {
  return a + (a.empty() || b.empty() ? "" : "; ") + b;
}

CollectedReports reports_of(const std::string& log, const std::string& name, const std::string& from,
                            const std::string& trouble) {
  CollectedReports found{.name = name, .reports = kubernetes::reports_in(log, name), .trouble = {}};
  const auto& [names, pods] = found.reports;
  if (name.empty() && names.size() > 1) {
    throw Error(fmt::format("{}: there are reports of {} in it", from, listed(names)),
                "choose one: --name " + names.front(), ExitCode::usage);
  }
  if (std::none_of(pods.begin(), pods.end(), [](const auto& pod) { return pod.files.contains("order.json"); })) {
    throw Error(
        fmt::format("{}: no report of an acceptance test was found{}", from, trouble.empty() ? "" : "; " + trouble),
        "it takes the whole log of every pod, once they are over: kubectl logs --tail=-1 -l " +
            kubernetes::label_selector(name.empty() ? "NAME" : name),
        ExitCode::no_such_run);
  }
  if (name.empty()) found.name = names.front();
  found.trouble = joined_troubles(trouble, trouble_of(found.reports));
  return found;
}

/// Why a pod's log can't be whole; empty: it is over, however it ended.
std::string state_of(const kubernetes::PodFacts& pod) {
  if (pod.over()) return "";
  if (!pod.unschedulable.empty()) {
    return fmt::format("pod {} was not scheduled: {}", pod.name, one_line(pod.unschedulable));
  }
  return fmt::format("pod {} is {}", pod.name, pod.phase.empty() ? "in no known state" : lower(one_line(pod.phase)));
}

}  // namespace

CollectedReports collect_reports(const KubernetesOptions& asked) {
  kubernetes::check_run_name("--collect", asked.collect);
  if (!asked.space.empty()) kubernetes::check_namespace("--namespace", asked.space);
  auto words = in_namespace(asked.space);
  words.insert(words.begin(), "get");
  words.insert(words.end(), {"pods", "-l", kubernetes::label_selector(asked.collect), "-o", "json"});
  const auto pods = kubernetes::pods_of(kubectl_out(words, "the pods can't be read"), "kubectl get pods");
  if (pods.empty()) {
    throw Error(
        fmt::format("found no pod of an acceptance test \"{}\"", asked.collect),
        "kubectl get pods -A -l " + kubernetes::label_selector() + " shows those that are; --namespace says where",
        ExitCode::no_such_run);
  }
  std::string log, trouble;
  for (const auto& pod : pods) {
    trouble = joined_troubles(trouble, state_of(pod));
    if (pod.phase == "Pending") continue;
    auto ask = in_namespace(asked.space);
    ask.insert(ask.begin(), "logs");
    ask.insert(ask.end(), {"--tail=-1", "--all-containers", pod.name});
    const auto answer = kubectl(ask);
    if (!answer.ok)
      trouble = joined_troubles(trouble, fmt::format("pod {} has no log: {}", pod.name, trouble_of(answer)));
    // A pod's last line may lack its end; the next pod's first must not be glued to it.
    log += answer.out + "\n";
  }
  return reports_of(log, asked.collect, "the pods' logs", trouble);
}

CollectedReports saved_reports(const std::string& file, const std::string& name) {
  const auto log = os::read_file(file == "-" ? "/dev/stdin" : file);
  if (!log) {
    throw Error(fmt::format("--judge {}: no such file", file),
                "save the logs: kubectl logs --prefix --tail=-1 -l " + kubernetes::label_selector("NAME") + " >FILE",
                ExitCode::usage);
  }
  return reports_of(*log, name, "--judge " + file, "");
}

void write_reports(const std::string& folder, const kubernetes::LogReports& reports) {
  for (const auto& pod : reports.pods) {
    const auto place = fs::path(folder) / "reports" / pod.node;
    if (fs::exists(place)) continue;
    os::make_folder(place.string());
    for (const auto& [file, content] : pod.files) {
      const auto path = file == "order.json" ? fs::path(folder) / file : place / file;
      os::make_folder(path.parent_path().string());
      if (file != "order.json" || !fs::exists(path)) os::write_file(path.string(), content);
    }
  }
}

}  // namespace rv::cli
