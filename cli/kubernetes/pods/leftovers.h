// What earlier acceptances left on a cluster, and what of it may go.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace rv::kubernetes {

struct Leftover {
  std::string kind;  // as kubectl takes it: "job", "jobset.jobset.x-k8s.io", "secret"
  std::string space, name;
  std::string acceptance;  // the label's value
  std::chrono::sys_seconds made{};
  std::optional<std::chrono::sys_seconds> ended;  // a job's end; nothing: it continues, or its end is unknown
  bool is_job = false;                            // else what a job needs: a secret, a service
  bool remove = false;
  std::string why;  // it goes, or stays
};

/// The kinds that rv makes, jobs first.
const std::vector<std::string>& kinds_made();

/// The objects of a list as `kubectl get KIND -o json` gives it that carry rv's own labels, all of them; others are not
/// even returned. Throws Error for text that is not a list.
std::vector<Leftover> leftovers_in(const std::string& kind, const std::string& json);

/// Decides: a job goes that ended longer ago than `age`; a secret or a service that is older goes once no job of its
/// acceptance in its namespace stays. What is not certainly over stays.
void choose(std::vector<Leftover>& leftovers, std::chrono::sys_seconds now, std::chrono::seconds age);

/// "2026-11-21T10:00:00Z", also with a fraction; nothing for anything else.
std::optional<std::chrono::sys_seconds> kubernetes_time(const std::string& text);

}  // namespace rv::kubernetes
