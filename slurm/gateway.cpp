#include "slurm/gateway.h"

#include <unistd.h>

#include <map>
#include <set>

#include "base/text.h"
#include "shared/time_text.h"
#include "slurm/command_trouble.h"
#include "slurm/configuration.h"
#include "slurm/environment.h"
#include "slurm/parse/parse_jobs.h"
#include "slurm/parse/parse_test_only.h"

namespace rv::slurm {
namespace {

// With states named, sacct lists what ended in the window.
constexpr std::string_view ended_states = "BF,CA,CD,DL,F,NF,OOM,PR,TO";

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

}  // namespace

Gateway::Gateway(std::chrono::milliseconds deadline) : deadline_(deadline) {}

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

planner::TestOnlyResult Gateway::would_start(const std::string& script) {
  ++commands_run_;
  const auto answer = os::run(question({"sbatch", "--test-only"}, deadline_, query_environment(), script));
  return parse_test_only(answer, current_time());
}

os::Result Gateway::ask(std::vector<std::string> argv) {
  if (auto fault = without_configuration()) return std::move(*fault);
  ++commands_run_;
  return os::run(question(std::move(argv), deadline_, query_environment()));
}

QueryResult<std::vector<QueueRow>> Gateway::my_jobs() {
  // Without -a a user's own jobs in hidden partitions are not listed.
  const auto result = ask({"squeue", "-a", "--me", "-h", "-r", "-t", "all", "-o", std::string(poll_format)});
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {parse_poll(result.out), ""};
}

QueryResult<std::vector<StepRow>> Gateway::my_steps() {
  const auto result = ask({"squeue", "-a", "--me", "-h", "-s", "-o", "%i %j"});
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {parse_steps(result.out), ""};
}

QueryResult<std::vector<JobRecord>> Gateway::record(JobId id) {
  const auto result = ask({"scontrol", "-o", "show", "job", to_string(id)});
  if (result.ok()) return {parse_records(result.out), ""};
  // The controller answered, and does not know the job (any more).
  if (result.err.find("Invalid job id") != std::string::npos) return {std::vector<JobRecord>(), ""};
  return {std::nullopt, trouble_of(result)};
}

QueryResult<std::vector<planner::Node>> Gateway::nodes(const std::string& list) {
  const auto result = ask({"scontrol", "-o", "-d", "show", "node", list});
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {parse_nodes(result.out), ""};
}

QueryResult<ControllerIdentity> Gateway::controller() {
  const auto result = ask({"scontrol", "show", "config"});
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {parse_identity(result.out), ""};
}

QueryResult<std::vector<AccountingRow>> Gateway::accounting(std::span<const JobId> ids, Clusters clusters) {
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

QueryResult<std::vector<JobUse>> Gateway::job_use(std::span<const JobId> ids) {
  if (ids.empty()) return {std::vector<JobUse>(), ""};
  const auto result =
      ask({"sacct", "-D", "-P", "-n", "--noconvert", "-j", list_of_ids(ids), "-o", std::string(job_use_format)});
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {parse_job_use(result.out), ""};
}

QueryResult<std::vector<JobUse>> Gateway::ended_jobs(const std::string& user, TimePoint from, TimePoint to) {
  const auto result = ask({"sacct", "-X", "-P", "-n", "--noconvert", "--user=" + user, "-S", sacct_time(from), "-E",
                           sacct_time(to), "-s", std::string(ended_states), "-o", std::string(job_use_format)});
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {parse_job_use(result.out), ""};
}

QueryResult<std::map<planner::DatabaseName, UsedTime>> Gateway::account_use(const std::vector<std::string>& accounts,
                                                                            TimePoint from, TimePoint to) {
  const auto result = ask({"sacct", "-a", "-D", "-X", "-P", "-n", "--accounts=" + joined(accounts), "-S",
                           sacct_time(from), "-E", sacct_time(to), "-o", std::string(account_use_format)});
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {parse_account_use(result.out, from, to), ""};
}

QueryResult<std::optional<FairShare>> Gateway::fair_share(const std::string& account) {
  const auto result = ask({"sshare", "-P", "-n", "--accounts=" + account, "-o", std::string(shares_format)});
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {parse_fair_share(result.out, planner::DatabaseName(account)), ""};
}

QueryResult<FinishedJobs> Gateway::finished_jobs(planner::TimePoint from, planner::TimePoint to) {
  // With states named sacct lists what ended in the window, without them all that was alive in it.
  const auto result = ask({"sacct", "-a", "-X", "-P", "-n", "-S", sacct_time(from), "-E", sacct_time(to), "-s",
                           std::string(ended_states), "-o", std::string(finished_jobs_format)});
  if (!result.ok()) return {std::nullopt, trouble_of(result)};
  return {parse_finished_jobs(result.out, from, to), ""};
}

QueryResult<std::string> Gateway::priority_answer(const std::string& user) {
  const auto factors = ask({"sprio", "-h", "-u", user, "-o", std::string(factors_format)});
  const auto shares = ask({"sshare", "-U", "-P", "-n", "-o", std::string(shares_format)});
  // Each may fail alone: without priority/multifactor there is no sprio, without accounting no sshare.
  if (!factors.ok() && !shares.ok()) return {std::nullopt, trouble_of(factors)};
  return {(factors.ok() ? factors.out : "") + "\n" + (shares.ok() ? shares.out : ""), ""};
}

namespace {

std::string fault_of_cancel(const os::Result& result) {
  return result.timed_out || result.exit_code == 127 ? trouble_of(result) : trouble_of_cancel(result);
}

}  // namespace

QueryResult<bool> Gateway::signal(const JobKey& job, const std::vector<StepRow>& steps, const std::string& signal) {
  std::vector<std::string> argv{"scancel", "--ctld", "--user=" + std::to_string(::geteuid()), "--name=" + job.name,
                                "--signal=" + signal};
  for (const auto& step : steps) argv.push_back(step.id);
  const auto fault = fault_of_cancel(ask(std::move(argv)));
  if (!fault.empty()) return {std::nullopt, fault};
  return {true, ""};
}

QueryResult<bool> Gateway::cancel(std::span<const JobKey> jobs) {
  std::map<std::string, std::set<JobId>> by_name;
  for (const auto& job : jobs) by_name[job.name].insert(job.id);
  std::string trouble;
  for (const auto& [name, ids] : by_name) {
    // --name takes one name. --ctld: from 23.11 on the controller applies the filters; before it changes nothing here.
    std::vector<std::string> argv{"scancel", "--ctld", "--user=" + std::to_string(::geteuid()), "--name=" + name};
    for (const auto id : ids) argv.push_back(to_string(id));
    const auto fault = fault_of_cancel(ask(std::move(argv)));
    if (trouble.empty()) trouble = fault;
  }
  if (!trouble.empty()) return {std::nullopt, trouble};
  return {true, ""};
}

}  // namespace rv::slurm
