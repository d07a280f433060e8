// Gateway::read_cluster(): what a plan asks, at once, with accounting's answer from a cache.
#include <algorithm>
#include <array>
#include <sstream>

#include "base/os/detached_process.h"
#include "base/variable.h"
#include "shared/time_text.h"
#include "slurm/cluster_answers.h"
#include "slurm/command_trouble.h"
#include "slurm/configuration.h"
#include "slurm/environment.h"
#include "slurm/gateway.h"
#include "slurm/parse/parse_limits.h"
#include "slurm/parse/parse_queue.h"
#include "slurm/query_cache.h"

namespace rv::slurm {
namespace {

using namespace std::chrono_literals;

// sacctmgr goes through the accounting database and takes longer than all other queries of a plan together, and
// limits change a few times a year. A stale limit costs no more than a refusal by Slurm, which names the limit.
constexpr auto limits_fresh = 10min;
// Older ones, up to this age, are used at once and renewed in the background.
constexpr auto limits_kept = std::chrono::hours(24 * 30);
// Accounting may be away for hours: a plan waits for it no longer than this.
constexpr auto accounting_patience = 5s;

std::string user_name(const std::vector<std::string>& environment) {
  for (const char* name : {"USER", "LOGNAME"}) {
    if (std::string value = variable(name); can_ask_limits_of(value)) return value;
  }
  auto id = os::run({.argv = {"id", "-un"}, .input = "", .deadline = 5s, .environment = environment, .folder = ""});
  while (id.out.ends_with('\n')) id.out.pop_back();
  return id.ok() && can_ask_limits_of(id.out) ? id.out : "";
}

// As this machine's name service has them, as the controller's does. rv is linked statically and can't ask it itself.
std::vector<std::string> groups_of(const std::string& user, const std::vector<std::string>& environment) {
  if (user.empty()) return {};
  const auto id =
      os::run({.argv = {"id", "-Gn", user}, .input = "", .deadline = 5s, .environment = environment, .folder = ""});
  std::vector<std::string> groups;
  std::istringstream words(id.ok() ? id.out : "");
  for (std::string group; words >> group;) groups.push_back(group);
  return groups;
}

// A kept answer may be another version's, to other questions.
bool is_whole(const std::string& text, const std::string& user) {
  const auto limits = parse_limits(text, user, "");
  return limits.qos && limits.associations;
}

// Asks accounting in a process of its own, for the next plan. Of several that begin at once each asks: one question.
void renew_limits(const os::Command& question, const QueryCache& cache) {
  os::run_detached([&] {
    const auto answer = os::run(question);
    const auto limits = parse_limits(answer.out, "", "");
    if (!answer.timed_out && limits.qos && limits.associations) cache.write(answer.out);
  });
}

}  // namespace

planner::Cluster Gateway::read_cluster(const std::string& cache_folder, bool hidden) {
  if (const std::string fault = unreadable_configuration(); !fault.empty()) no_configuration(fault);
  const auto environment = query_environment();
  planner::Cluster cluster;
  cluster.user = user_name(environment);
  const auto ask = [&](std::vector<std::string> argv, std::string input = "") {
    return question(std::move(argv), deadline_, environment, std::move(input));
  };
  const std::string_view style = hidden ? "-ao" : "-o";
  std::array<os::Command, ClusterQuery::count> questions{
      ask({"scontrol", std::string(style), "-d", "show", "node"}),
      ask({"scontrol", std::string(style), "show", "partition"}),
      ask({"scontrol", "show", "config"}),
      ask({"scontrol", "-o", "show", "reservation"}),
      // Jobs in hidden partitions hold GPUs too, hence -a; without -t squeue shows all that have not ended, with it a
      // job whose state carries a flag is left out.
      ask({"squeue", "-a", "-h", "-O", queue_format()}),
      ask({"scontrol", "show", "federation"}),
      // The limits in minutes and what is used of them; the first time, all limits.
      ask({"scontrol", "show", "assoc_mgr", "users=" + cluster.user.text(), "flags=assoc,qos"}),
      ask({"sacctmgr", "-r", "-P"}, limits_questions(cluster.user.text())),
  };
  questions[ClusterQuery::limits].deadline = std::min<std::chrono::milliseconds>(deadline_, accounting_patience);
  const QueryCache cache(cache_folder, "limits", cluster.user.text(), limits_kept);
  auto kept = cache.read();
  if (kept && !is_whole(*kept, cluster.user.text())) kept.reset();
  // With a folder that keeps accounting's answer, no plan waits for accounting: the first uses the controller's limits.
  const bool behind = !cache_folder.empty() && !cluster.user.empty();
  const auto of_accounting = questions[ClusterQuery::limits];
  const bool ask_accounting = !kept && !behind;
  const auto asked =
      std::span<const os::Command>(questions).first(ask_accounting ? ClusterQuery::count : ClusterQuery::limits);
  auto answers = os::run_all(asked);
  commands_run_ += static_cast<int>(asked.size());
  // Until accounting has answered, the controller's own limits are used.
  if (!kept && behind) answers.push_back(answers[ClusterQuery::use]);
  if (kept) answers.push_back({.exit_code = 0, .timed_out = false, .out = *kept, .err = "", .wall = {}});
  cluster.taken_at = current_time();

  take_answers(cluster, answers);
  const auto has_groups = [](const planner::Partition& partition) { return !partition.allow_groups.empty(); };
  if (cluster.partitions.empty() || std::any_of(cluster.partitions.begin(), cluster.partitions.end(), has_groups)) {
    cluster.groups = groups_of(cluster.user.text(), environment);
  }
  if (cluster.controller.topology_plugin == "topology/tree") {
    take_topology(cluster, os::run(ask({"scontrol", "show", "topology"})));
    ++commands_run_;
  }
  if (cluster.controller.licenses && !cluster.controller.licenses->empty()) {
    take_licenses(cluster, os::run(ask({"scontrol", "-o", "show", "licenses"})));
    ++commands_run_;
  }
  // A site without accounting has neither QOS nor associations, and no limits of theirs.
  if (answers[ClusterQuery::config].ok() && !cluster.controller.accounting) return cluster;
  if (kept) {
    take_limits(cluster, answers[ClusterQuery::limits]);
    if (!QueryCache(cache_folder, "limits", cluster.user.text(), limits_fresh).read())
      renew_limits(of_accounting, cache);
  } else if (behind && take_controllers_limits(cluster, answers[ClusterQuery::limits])) {
    renew_limits(of_accounting, cache);
  } else {
    if (behind) {
      answers[ClusterQuery::limits] = os::run(of_accounting);
      ++commands_run_;
    }
    if (take_limits(cluster, answers[ClusterQuery::limits])) cache.write(answers[ClusterQuery::limits].out);
  }
  take_use(cluster, answers[ClusterQuery::use]);
  return cluster;
}

}  // namespace rv::slurm
