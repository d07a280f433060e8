#include "slurm/gateway.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/os/detached_process.h"
#include "base/os/process.h"
#include "base/text.h"
#include "base/variable.h"
#include "planner/cluster/budget.h"
#include "planner/cluster/preemption.h"
#include "shared/time_text.h"
#include "slurm/answer_cache.h"
#include "slurm/configuration.h"
#include "slurm/environment.h"
#include "slurm/parse/parse_assoc_mgr.h"
#include "slurm/parse/parse_jobs.h"
#include "slurm/parse/parse_limits.h"
#include "slurm/parse/parse_queue.h"
#include "slurm/parse/parse_test_only.h"
#include "slurm/parse/parse_topology.h"
#include "slurm/release_faults.h"

namespace rv::slurm {
namespace {

using namespace std::chrono_literals;

// sacctmgr goes through the accounting database and takes longer than all other questions of a plan together, and the
// limits it tells change a few times a year. A stale one costs no more than a refusal by Slurm, in its own words.
constexpr auto limits_fresh = 10min;
// Older ones are used at once all the same, and renewed behind. For so long:
constexpr auto limits_kept = std::chrono::hours(24 * 30);
// Accounting may be away for hours: a plan waits for it only so long.
constexpr auto accounting_patience = 5s;

// With states named, sacct lists what ended in the window.
constexpr std::string_view ended_states = "BF,CA,CD,DL,F,NF,OOM,PR,TO";

std::string trouble_of(const os::Result& result) {
  if (result.timed_out) return "no answer in time";
  if (result.exit_code == 127) return result.err;
  if (says_no_configuration(result.err)) return "no slurm.conf was found, and SLURM_CONF is not set";
  return first_complaint(result.err.empty() ? result.out : result.err);
}

// A controller under load may hang up on a question. Slurm's commands then try again or say what is wrong, unless the
// signal of a broken pipe has ended them first.
os::Command question(std::vector<std::string> argv, std::chrono::milliseconds deadline,
                     std::vector<std::string> environment, std::string input = "") {
  return {.argv = std::move(argv),
          .input = std::move(input),
          .deadline = deadline,
          .environment = std::move(environment),
          .folder = "",
          .ignores_broken_pipes = true};
}

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

// Without an answer the nodes stay without switches: a plan then takes them for connected.
void take_topology(planner::Cluster& cluster, const os::Result& answer) {
  if (!answer.ok()) {
    cluster.unanswered["topology"] = trouble_of(answer);
    return;
  }
  const auto switches = parse_top_switches(answer.out);
  for (planner::Node& node : cluster.nodes) {
    const auto found = switches.find(node.name);
    node.top_switch = found == switches.end() ? node.name : found->second;
  }
}

void take_licenses(planner::Cluster& cluster, const os::Result& answer) {
  if (answer.ok()) {
    cluster.free_licenses = parse_free_licenses(answer.out);
  } else {
    cluster.unanswered["licenses"] = trouble_of(answer);
  }
}

// What accounting did not answer stays unknown. True when nothing does.
bool take_limits(planner::Cluster& cluster, const os::Result& answer) {
  auto limits = parse_limits(answer.out, cluster.user, cluster.controller.cluster_name);
  const auto trouble = cluster.user.empty() ? "this user has no name" : trouble_of(answer);
  // sacctmgr may end with 0 although the database is away, and with an error behind whole answers.
  if (limits.qos && !answer.timed_out)
    cluster.qos = std::move(*limits.qos);
  else
    cluster.unanswered["qos"] = trouble;
  // Without a user's name the question was about everybody.
  if (limits.associations && !answer.timed_out && !cluster.user.empty())
    cluster.associations = std::move(*limits.associations);
  else
    cluster.unanswered["associations"] = trouble;
  if (enforces_run_minutes_of_qos(cluster.controller.version)) cluster.budgets = std::move(limits.budgets);
  cluster.accounts = std::move(limits.accounts);
  return !cluster.unanswered.contains("qos") && !cluster.unanswered.contains("associations");
}

// The controller's own words, where accounting has not been heard yet. False when they are not whole.
bool take_controllers_limits(planner::Cluster& cluster, const os::Result& answer) {
  auto limits = parse_assoc_mgr(answer.ok() ? answer.out : "", cluster.user, cluster.controller.cluster_name);
  if (!limits.qos || !limits.associations || cluster.user.empty()) return false;
  cluster.qos = std::move(*limits.qos);
  cluster.associations = std::move(*limits.associations);
  cluster.unanswered["per-user limits of unused QOS, default and permitted QOS"] =
      "this is the first query of accounting on this cluster; its answer follows in a moment";
  if (planner::preempts_by_qos(cluster.controller)) {
    cluster.unanswered[planner::preemption_between_qos] = "accounting has been queried; its answer follows in a moment";
  }
  return true;
}

// Puts the limits and the use that the controller reports into the tree of accounts.
void merge_accounts(std::vector<planner::Account>& tree, std::vector<planner::Account> reported) {
  for (planner::Account& account : reported) {
    const auto known =
        std::find_if(tree.begin(), tree.end(), [&](const planner::Account& one) { return one.name == account.name; });
    if (known == tree.end()) {
      tree.push_back(std::move(account));
    } else {
      *known = std::move(account);
    }
  }
}

// The limits of accounts and those in minutes, with what is used of them. Where the controller does not say, they are
// unknown.
void take_use(planner::Cluster& cluster, const os::Result& answer) {
  auto limits = parse_assoc_mgr(answer.ok() ? answer.out : "", cluster.user, cluster.controller.cluster_name);
  if (!limits.qos) {
    cluster.unanswered["use of limits in minutes"] = trouble_of(answer);
    cluster.accounts.clear();  // a tree without limits would pass for one that has none
    return;
  }
  cluster.budgets.insert(cluster.budgets.begin(), std::make_move_iterator(limits.budgets.begin()),
                         std::make_move_iterator(limits.budgets.end()));
  merge_accounts(cluster.accounts, std::move(limits.accounts));
  planner::measure_run_minutes(cluster);
}

// What the site shows to operators alone is unknown, not absent.
void tell_hidden(planner::Cluster& cluster) {
  const bool others = std::any_of(cluster.jobs.begin(), cluster.jobs.end(),
                                  [&](const planner::QueuedJob& job) { return job.user != cluster.user; });
  if (contains(cluster.controller.private_data, "jobs") && ::geteuid() != 0 && !others) {
    cluster.unanswered[planner::jobs_of_others] = "this site shows them only to operators (PrivateData=jobs)";
  }
  std::map<std::string, std::vector<std::string>> unlisted;
  for (const planner::Node& node : cluster.nodes) {
    for (const std::string& flag : node.state.unlisted_flags()) unlisted[flag].push_back(node.name);
  }
  for (const auto& [flag, nodes] : unlisted) {
    cluster.unanswered[fmt::format("{} in the state {}", counted(static_cast<long long>(nodes.size()), "node"), flag)] =
        "this version of rv does not support that state, so it predicts no start on " + nodes.front() +
        (nodes.size() > 1 ? ", …" : "");
  }
  for (const auto& [partition, count] : cluster.hidden_nodes()) {
    cluster.unanswered[fmt::format("{} of partition {}", counted(count, "node"), partition)] =
        "Slurm does not show cloud nodes that are powered off (PrivateData without cloud)";
  }
}

// A kept answer may be another version's, to other questions.
bool is_whole(const std::string& text, const std::string& user) {
  const auto limits = parse_limits(text, user, "");
  return limits.qos && limits.associations;
}

// Asks accounting in a process of its own, for the next plan. Of several that begin at once each asks: one question.
void renew_limits(const os::Command& question, const AnswerCache& cache) {
  os::run_detached([&] {
    const auto answer = os::run(question);
    const auto limits = parse_limits(answer.out, "", "");
    if (!answer.timed_out && limits.qos && limits.associations) cache.write(answer.out);
  });
}

// As sacct takes it in every release: the cluster's local time, which is this machine's.
std::string sacct_time(planner::TimePoint time) {
  return local_time(time, 'T');
}

std::string list_of_ids(std::span<const JobId> ids) {
  std::string list;
  for (const auto id : ids) list += (list.empty() ? "" : ",") + to_string(id);
  return list;
}

// Never waited for: Slurm's commands try for a minute to read a file that is not there.
std::optional<os::Result> without_configuration() {
  std::string fault = unreadable_configuration();
  if (fault.empty()) return std::nullopt;
  return os::Result{.exit_code = 1, .timed_out = false, .out = "", .err = std::move(fault), .wall = {}};
}

[[noreturn]] void no_configuration(const std::string& fault) {
  throw Error("Slurm has no configuration file: " + fault,
              "set SLURM_CONF to the cluster's slurm.conf, or run rv on a login node (rv -H NAME)", ExitCode::slurm);
}

[[noreturn]] void no_cluster(const std::string& asked, const os::Result& result) {
  if (result.exit_code == 127) {
    throw Error("Slurm's commands were not found: " + result.err, "run rv on a login node of the cluster, or set PATH",
                ExitCode::slurm);
  }
  if (says_no_configuration(result.err)) {
    no_configuration("this machine has none in Slurm's default place, and SLURM_CONF is not set");
  }
  if (result.err.find("Access/permission denied") != std::string::npos) {
    throw Error("this site allows only operators to run " + asked + ": " + trouble_of(result),
                "rv can't plan without it: ask the administrators to take nodes and partitions out of PrivateData",
                ExitCode::slurm);
  }
  throw Error("Slurm did not answer " + asked + ": " + trouble_of(result),
              "try again in a moment; scontrol ping shows whether the controller is up", ExitCode::slurm);
}

/// scontrol prints this, and exits with 0, where the user is in no group of any partition (AllowGroups), or the site
/// hides all partitions.
bool shows_nothing(const os::Result& answer) {
  return answer.out.starts_with("No nodes in the system") || answer.out.starts_with("No partitions in the system");
}

/// What a plan asks at once. The limits are the last, so that a kept answer simply leaves them out.
struct Asked {
  enum : std::size_t { nodes, partitions, config, reservations, queue, federation, use, limits, count };
};

/// All but the limits. Throws Error(slurm) where nodes or partitions can't be had.
void take_answers(planner::Cluster& cluster, const std::vector<os::Result>& answers) {
  if (!answers[Asked::nodes].ok()) no_cluster("scontrol show node", answers[Asked::nodes]);
  if (!answers[Asked::partitions].ok()) no_cluster("scontrol show partition", answers[Asked::partitions]);
  cluster.nodes = parse_nodes(answers[Asked::nodes].out);
  cluster.partitions = parse_partitions(answers[Asked::partitions].out);
  if (cluster.nodes.empty() && !shows_nothing(answers[Asked::nodes])) {
    no_cluster("scontrol show node", answers[Asked::nodes]);
  }
  if (cluster.partitions.empty() && !shows_nothing(answers[Asked::partitions])) {
    no_cluster("scontrol show partition", answers[Asked::partitions]);
  }
  if (answers[Asked::config].ok())
    cluster.controller = parse_config(answers[Asked::config].out);
  else
    cluster.unanswered["controller"] = trouble_of(answers[Asked::config]);
  if (answers[Asked::federation].ok()) cluster.controller.federation = parse_federation(answers[Asked::federation].out);
  if (answers[Asked::reservations].ok())
    cluster.reservations = parse_reservations(answers[Asked::reservations].out);
  else
    cluster.unanswered["reservations"] = trouble_of(answers[Asked::reservations]);
  if (answers[Asked::queue].ok())
    cluster.jobs = parse_queue(answers[Asked::queue].out);
  else
    cluster.unanswered["jobs"] = trouble_of(answers[Asked::queue]);
  // Rows with other columns than those asked for are no empty queue.
  if (answers[Asked::queue].ok() && cluster.jobs.empty() &&
      answers[Asked::queue].out.find_first_not_of("\n ") != std::string::npos) {
    cluster.unanswered["jobs"] = "squeue does not support these fields: " + first_complaint(answers[Asked::queue].err);
  }
  tell_hidden(cluster);
}

}  // namespace

Gateway::Gateway(std::chrono::milliseconds deadline) : deadline_(deadline) {}

planner::Cluster Gateway::read_cluster(const std::string& cache_folder, bool hidden) {
  if (const std::string fault = unreadable_configuration(); !fault.empty()) no_configuration(fault);
  const auto environment = query_environment();
  planner::Cluster cluster;
  cluster.user = user_name(environment);
  const auto ask = [&](std::vector<std::string> argv, std::string input = "") {
    return question(std::move(argv), deadline_, environment, std::move(input));
  };
  const std::string_view style = hidden ? "-ao" : "-o";
  std::array<os::Command, Asked::count> questions{
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
  questions[Asked::limits].deadline = std::min<std::chrono::milliseconds>(deadline_, accounting_patience);
  const AnswerCache cache(cache_folder, "limits", cluster.user.text(), limits_kept);
  auto kept = cache.read();
  if (kept && !is_whole(*kept, cluster.user.text())) kept.reset();
  // Nobody waits for accounting where there is a folder to keep its answer in: the first time the controller tells.
  const bool behind = !cache_folder.empty() && !cluster.user.empty();
  const auto of_accounting = questions[Asked::limits];
  const bool ask_accounting = !kept && !behind;
  const auto asked = std::span<const os::Command>(questions).first(ask_accounting ? Asked::count : Asked::limits);
  auto answers = os::run_all(asked);
  commands_run_ += static_cast<int>(asked.size());
  // Until accounting has been heard the controller's own words are the answer.
  if (!kept && behind) answers.push_back(answers[Asked::use]);
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
  if (answers[Asked::config].ok() && !cluster.controller.accounting) return cluster;
  if (kept) {
    take_limits(cluster, answers[Asked::limits]);
    if (!AnswerCache(cache_folder, "limits", cluster.user.text(), limits_fresh).read())
      renew_limits(of_accounting, cache);
  } else if (behind && take_controllers_limits(cluster, answers[Asked::limits])) {
    renew_limits(of_accounting, cache);
  } else {
    if (behind) {
      answers[Asked::limits] = os::run(of_accounting);
      ++commands_run_;
    }
    if (take_limits(cluster, answers[Asked::limits])) cache.write(answers[Asked::limits].out);
  }
  take_use(cluster, answers[Asked::use]);
  return cluster;
}

Submission Gateway::submit(const std::string& script_path, const std::string& folder,
                           const std::vector<std::string>& options, const std::vector<std::string>& arguments) {
  ++commands_run_;
  std::vector<std::string> argv{"sbatch", "--parsable"};
  argv.insert(argv.end(), options.begin(), options.end());
  argv.push_back(script_path);
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return parse_submission(os::run({.argv = std::move(argv),
                                   .input = "",
                                   .deadline = deadline_,
                                   .environment = submit_environment(),
                                   .folder = folder}));
}

planner::ControllerWord Gateway::would_start(const std::string& script) {
  ++commands_run_;
  const auto answer = os::run(question({"sbatch", "--test-only"}, deadline_, query_environment(), script));
  return parse_test_only(answer, current_time());
}

os::Result Gateway::ask(std::vector<std::string> argv) {
  if (auto fault = without_configuration()) return std::move(*fault);
  ++commands_run_;
  return os::run(question(std::move(argv), deadline_, query_environment()));
}

Answer<std::vector<QueueRow>> Gateway::my_jobs() {
  // Without -a a user's own jobs in hidden partitions are not listed.
  const auto result = ask({"squeue", "-a", "--me", "-h", "-r", "-t", "all", "-o", std::string(poll_format)});
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {parse_poll(result.out), ""};
}

Answer<std::vector<JobRecord>> Gateway::record(JobId id) {
  const auto result = ask({"scontrol", "-o", "show", "job", to_string(id)});
  if (result.ok()) return {parse_records(result.out), ""};
  // The controller answered, and does not know the job (any more).
  if (result.err.find("Invalid job id") != std::string::npos) return {std::vector<JobRecord>(), ""};
  return {std::nullopt, trouble_of(result)};
}

Answer<ControllerIdentity> Gateway::controller() {
  const auto result = ask({"scontrol", "show", "config"});
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {parse_identity(result.out), ""};
}

Answer<std::vector<AccountingRow>> Gateway::accounting(std::span<const JobId> ids, Clusters clusters) {
  if (ids.empty()) return {std::vector<AccountingRow>(), ""};  // an empty list would ask for all jobs
  std::vector<std::string> question{
      "sacct", "-D", "-X", "-P", "-n", "-j", list_of_ids(ids), "-o", std::string(accounting_format)};
  if (clusters == Clusters::all) question.emplace_back("--allclusters");
  const auto result = ask(std::move(question));
  if (!result.ok()) {
    if (result.err.find("accounting storage is disabled") != std::string::npos)
      return {std::vector<AccountingRow>(), ""};
    return {std::nullopt, trouble_of(result)};
  }
  return {parse_accounting(result.out), ""};
}

Answer<std::vector<JobUse>> Gateway::job_use(std::span<const JobId> ids) {
  if (ids.empty()) return {std::vector<JobUse>(), ""};
  const auto result =
      ask({"sacct", "-D", "-P", "-n", "--noconvert", "-j", list_of_ids(ids), "-o", std::string(job_use_format)});
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {parse_job_use(result.out), ""};
}

Answer<std::vector<JobUse>> Gateway::ended_jobs(const std::string& user, TimePoint from, TimePoint to) {
  const auto result = ask({"sacct", "-X", "-P", "-n", "--noconvert", "--user=" + user, "-S", sacct_time(from), "-E",
                           sacct_time(to), "-s", std::string(ended_states), "-o", std::string(job_use_format)});
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {parse_job_use(result.out), ""};
}

Answer<std::map<planner::DatabaseName, UsedTime>> Gateway::account_use(const std::vector<std::string>& accounts,
                                                                       TimePoint from, TimePoint to) {
  const auto result = ask({"sacct", "-a", "-D", "-X", "-P", "-n", "--accounts=" + joined(accounts), "-S",
                           sacct_time(from), "-E", sacct_time(to), "-o", std::string(account_use_format)});
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {parse_account_use(result.out, from, to), ""};
}

Answer<std::optional<FairShare>> Gateway::fair_share(const std::string& account) {
  const auto result = ask({"sshare", "-P", "-n", "--accounts=" + account, "-o", std::string(shares_format)});
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {parse_fair_share(result.out, planner::DatabaseName(account)), ""};
}

Answer<FinishedJobs> Gateway::finished_jobs(planner::TimePoint from, planner::TimePoint to) {
  // With states named sacct lists what ended in the window, without them all that was alive in it.
  const auto result = ask({"sacct", "-a", "-X", "-P", "-n", "-S", sacct_time(from), "-E", sacct_time(to), "-s",
                           std::string(ended_states), "-o", std::string(finished_jobs_format)});
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {parse_finished_jobs(result.out, from, to), ""};
}

Answer<std::string> Gateway::priority_answer(const std::string& user) {
  const auto factors = ask({"sprio", "-h", "-u", user, "-o", std::string(factors_format)});
  const auto shares = ask({"sshare", "-U", "-P", "-n", "-o", std::string(shares_format)});
  // Each may fail alone: without priority/multifactor there is no sprio, without accounting no sshare.
  if (!factors.ok() && !shares.ok()) return {std::nullopt, trouble_of(factors)};
  return {(factors.ok() ? factors.out : "") + "\n" + (shares.ok() ? shares.out : ""), ""};
}

Answer<bool> Gateway::cancel(std::span<const JobKey> jobs) {
  std::map<std::string, std::set<JobId>> by_name;
  for (const auto& job : jobs) by_name[job.name].insert(job.id);
  std::string trouble;
  for (const auto& [name, ids] : by_name) {
    // --name takes one name. --ctld: from 23.11 on the controller applies the filters; before it changes nothing here.
    std::vector<std::string> argv{"scancel", "--ctld", "--user=" + std::to_string(::geteuid()), "--name=" + name};
    for (const auto id : ids) argv.push_back(to_string(id));
    const auto result = ask(std::move(argv));
    const auto fault = result.timed_out || result.exit_code == 127 ? trouble_of(result) : trouble_of_cancel(result);
    if (trouble.empty()) trouble = fault;
  }
  if (!trouble.empty()) return {std::nullopt, trouble};
  return {true, ""};
}

}  // namespace rv::slurm
