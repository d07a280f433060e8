#include "cli/kubernetes/pods/leftovers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/documents/json_members.h"
#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/walltime.h"
#include "cli/kubernetes/pods/job_order.h"
#include "cli/kubernetes/pods/names.h"

namespace rv::kubernetes {
namespace {

using Json = nlohmann::ordered_json;

/// When a Job, a JobSet or a PyTorchJob ended, well or not: they say it in a condition.
std::optional<std::chrono::sys_seconds> end_of(const Json& status) {
  for (const auto& condition : member_of(status, "conditions")) {
    const auto type = member_text(condition, "type");
    const bool over = type == "Complete" || type == "Completed" || type == "Failed" || type == "Succeeded";
    if (over && member_text(condition, "status") == "True")
      return kubernetes_time(member_text(condition, "lastTransitionTime"));
  }
  return std::nullopt;
}

bool is_ours(const Json& labels) {
  for (const auto& [key, value] : labels_of_all()) {
    if (member_text(labels, key.c_str()) != value) return false;
  }
  // It becomes a word of kubectl's selector.
  return is_node_name(member_text(labels, name_label));
}

bool is_job_kind(const std::string& kind) {
  return kind != "secret" && kind != "service";
}

}  // namespace

const std::vector<std::string>& kinds_made() {
  static const std::vector<std::string> kinds = {"job", "jobset.jobset.x-k8s.io", "pytorchjob.kubeflow.org", "service",
                                                 "secret"};
  return kinds;
}

std::optional<std::chrono::sys_seconds> kubernetes_time(const std::string& words) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, read = 0;
  if (std::sscanf(words.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d%n", &year, &month, &day, &hour, &minute, &second, &read) !=
          6 ||
      words.back() != 'Z') {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second);
}

std::vector<Leftover> leftovers_in(const std::string& kind, const std::string& words) {
  const auto json = parse_json_or_discard<Json>(words);
  if (!member_of(json, "items").is_array()) {
    throw Error(fmt::format("kubectl's list of {}s can't be read", kind), "try kubectl get " + kind + " -o json");
  }
  std::vector<Leftover> found;
  for (const auto& item : member_of(json, "items")) {
    const auto& metadata = member_of(item, "metadata");
    if (!is_ours(member_of(metadata, "labels"))) continue;
    // Pods of a JobSet belong to a Job that has the labels of its template: it goes with its owner.
    if (const auto& owners = member_of(metadata, "ownerReferences"); owners.is_array() && !owners.empty()) continue;
    const auto made = kubernetes_time(member_text(metadata, "creationTimestamp"));
    if (!made) continue;
    Leftover one{.kind = kind,
                 .space = member_text(metadata, "namespace"),
                 .name = member_text(metadata, "name"),
                 .acceptance = member_text(member_of(metadata, "labels"), name_label),
                 .made = *made,
                 .ended = {},
                 .is_job = is_job_kind(kind),
                 .remove = false,
                 .why = {}};
    if (one.is_job) one.ended = end_of(member_of(item, "status"));
    found.push_back(std::move(one));
  }
  return found;
}

void choose(std::vector<Leftover>& leftovers, std::chrono::sys_seconds now, std::chrono::seconds age) {
  for (auto& one : leftovers) {
    if (!one.is_job) continue;
    one.remove = one.ended && now - *one.ended >= age;
    one.why = !one.ended
                  ? "not over"
                  : fmt::format("ended {} ago", format_duration(std::max(now - *one.ended, std::chrono::seconds(0))));
  }
  for (auto& one : leftovers) {
    if (one.is_job) continue;
    const auto job = std::find_if(leftovers.begin(), leftovers.end(), [&](const Leftover& other) {
      return other.is_job && !other.remove && other.space == one.space && other.acceptance == one.acceptance;
    });
    const bool needed = job != leftovers.end();
    one.remove = !needed && now - one.made >= age;
    one.why = needed ? "its job stays"
                     : fmt::format("made {} ago, and no job needs it",
                                   format_duration(std::max(now - one.made, std::chrono::seconds(0))));
  }
}

}  // namespace rv::kubernetes
