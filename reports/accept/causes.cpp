#include "reports/accept/causes.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "reports/accept/advice.h"

namespace rv::accept {
namespace {

using Findings = std::vector<const Finding*>;

std::string title_of(const Findings& findings) {
  std::set<std::string> places, nodes;
  bool gpus = true;
  for (const auto* finding : findings) {
    places.insert(to_string(finding->subject));
    if (!finding->subject.node.empty()) nodes.insert(finding->subject.node);
    gpus = gpus && finding->subject.gpu_index;
  }
  if (places.size() == 1) return *places.begin();
  if (!gpus) return counted(static_cast<long long>(places.size()), "place");
  return counted(static_cast<long long>(places.size()), "GPU") + " on " +
         counted(static_cast<long long>(nodes.size()), "node");
}

Cause cause_of(Findings findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding* a, const Finding* b) {
    return std::pair(severity(a->verdict), cause_order(a->advice)) <
           std::pair(severity(b->verdict), cause_order(b->advice));
  });
  return {.verdict = findings.front()->verdict,
          .title = title_of(findings),
          .advice = findings.front()->advice,
          .findings = findings};
}

// The largest group; of equal ones the first by name, and a place before an advice.
Findings largest(const Findings& left) {
  std::map<std::string, Findings> groups;
  for (const auto* finding : left) {
    groups["1 " + to_string(finding->subject)].push_back(finding);
    groups["2 " + finding->advice].push_back(finding);
  }
  const auto most = std::max_element(groups.begin(), groups.end(),
                                     [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  return most->second;
}

/// Whether the cause is a fault that slows its GPUs, and the finding is the speed of work that one of them takes part
/// in.
bool explains(const Cause& cause, const Finding& finding) {
  if (!slows_a_gpu(cause.advice) || !is_joint_work(finding.advice)) return false;
  if (severity(cause.verdict) > severity(finding.verdict)) return false;
  return std::any_of(cause.findings.begin(), cause.findings.end(), [&](const Finding* one) {
    if (!one->subject.gpu_index || one->advice != cause.advice) return false;
    if (!finding.subject.node.empty() && finding.subject.node != one->subject.node) return false;
    return !finding.subject.gpu_index || finding.subject.gpu_index == one->subject.gpu_index;
  });
}

/// Moves what a fault of a GPU explains at other places to that cause, behind its own findings.
void fold_consequences(std::vector<Cause>& causes) {
  for (Cause& cause : causes) {
    for (Cause& other : causes) {
      if (&other == &cause) continue;
      const auto moved = std::stable_partition(other.findings.begin(), other.findings.end(),
                                               [&](const Finding* one) { return !explains(cause, *one); });
      if (moved == other.findings.end()) continue;
      cause.findings.insert(cause.findings.end(), moved, other.findings.end());
      other.findings.erase(moved, other.findings.end());
      if (!other.findings.empty()) other = cause_of(other.findings);
    }
  }
  std::erase_if(causes, [](const Cause& cause) { return cause.findings.empty(); });
}

}  // namespace

std::vector<Cause> causes_of(const std::vector<Finding>& findings) {
  Findings left;
  for (const auto& finding : findings) left.push_back(&finding);
  std::vector<Cause> causes;
  while (!left.empty()) {
    const auto group = largest(left);
    std::erase_if(left, [&](const Finding* one) { return std::find(group.begin(), group.end(), one) != group.end(); });
    causes.push_back(cause_of(group));
  }
  fold_consequences(causes);
  std::stable_sort(causes.begin(), causes.end(),
                   [](const Cause& a, const Cause& b) { return severity(a.verdict) < severity(b.verdict); });
  return causes;
}

}  // namespace rv::accept
