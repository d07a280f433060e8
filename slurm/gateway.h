// All Slurm commands go through this class, which counts them. Unless noted, a function runs one command. "No answer"
// is a QueryResult without a value, for example because the command failed or timed out; it proves nothing.
#pragma once

#include <chrono>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/os/process.h"
#include "planner/cluster/cluster.h"
#include "planner/cluster/strategy.h"
#include "slurm/accounting/account_use.h"
#include "slurm/accounting/job_use.h"
#include "slurm/parse/job_records.h"
#include "slurm/parse/parse_cluster.h"
#include "slurm/parse/parse_finished_jobs.h"
#include "slurm/parse/parse_priority.h"

namespace rv::slurm {

/// Whose records accounting is asked for: this cluster's, or those of every cluster in its database.
enum class Clusters { own, all };

class Gateway {
 public:
  /// `deadline` bounds each single command.
  explicit Gateway(std::chrono::milliseconds deadline = std::chrono::seconds(30));

  /// Reads everything a plan needs, all commands at once. Throws Error(slurm) when nodes or partitions can't be had
  /// (the message holds Slurm's own words); what else got no answer is listed in Cluster::unanswered. The
  /// limits of QOS and associations are cached in `cache_folder` and refreshed in the background; empty: no cache.
  /// `hidden`: also partitions, and their nodes, that the site hides from this user. Nodes and partitions are empty
  /// where Slurm shows none to this user.
  planner::Cluster read_cluster(const std::string& cache_folder = "", bool hidden = false);

  /// Runs `sbatch --parsable SCRIPT` with `folder` as its working directory. The job's own working directory is set
  /// by the script. `options` override the script's #SBATCH lines; `arguments` are passed to the script. Never tries
  /// again: if the outcome is unknown, the job may exist.
  Submission submit(const std::string& script_path, const std::string& folder,
                    const std::vector<std::string>& options = {}, const std::vector<std::string>& arguments = {});

  /// `sbatch --test-only` on a script's text: when and where the job would start, as the controller predicts at this
  /// moment. Submits nothing, but uses up a job ID and takes the controller's locks, so callers limit the number of
  /// calls with slurm/call_budget.h.
  planner::TestOnlyResult would_start(const std::string& script);

  /// Every job of this user that the controller still knows, finished ones included. One squeue.
  QueryResult<std::vector<QueueRow>> my_jobs();

  /// One job from the controller's memory. An empty vector inside the answer: the controller does not know it
  /// (any more), which is not the same as ended.
  QueryResult<std::vector<JobRecord>> record(JobId id);

  /// Which controller answers: its cluster's name and boot time, from `scontrol show config`.
  QueryResult<ControllerIdentity> controller();

  /// All accounting rows for these IDs: one row for each start of a job (a requeue adds a start), also of earlier jobs
  /// that had the same ID (rows_of() selects those of one job). IDs without a row are absent. On a cluster without
  /// accounting the answer is an empty vector.
  QueryResult<std::vector<AccountingRow>> accounting(std::span<const JobId> ids, Clusters clusters = Clusters::own);

  /// What the starts of these jobs that are over used. No answer if the cluster has no accounting, or accounting does
  /// not respond.
  QueryResult<std::vector<JobUse>> job_use(std::span<const JobId> ids);

  /// The user's jobs that ended in [from, to), without their steps. No answer if the cluster has no accounting, or
  /// accounting does not respond.
  QueryResult<std::vector<JobUse>> ended_jobs(const std::string& user, TimePoint from, TimePoint to);

  /// What the jobs of these accounts used in [from, to), as far as accounting shows them to this user.
  QueryResult<std::map<planner::DatabaseName, UsedTime>> account_use(const std::vector<std::string>& accounts,
                                                                     TimePoint from, TimePoint to);

  /// The account's part of the fair share; nothing inside the answer where the site has none.
  QueryResult<std::optional<FairShare>> fair_share(const std::string& account);

  /// The jobs of all users that ended in [from, to), as far as accounting shows them to this user. No answer if the
  /// cluster has no accounting, or accounting does not respond.
  QueryResult<FinishedJobs> finished_jobs(planner::TimePoint from, planner::TimePoint to);

  /// sprio and sshare about this user, one text for parse_priority. No answer when neither had one.
  QueryResult<std::string> priority_answer(const std::string& user);

  /// rv's only way to cancel jobs. Slurm itself compares ID, name and user (slurmctld from 23.11 on, scancel before),
  /// so a recycled ID never cancels another job.
  /// Runs one scancel per job name. Returns true if Slurm accepted all of them; jobs that are over or carry another
  /// name are not an error. No answer if a scancel failed: try again in a later poll. Never returns false.
  QueryResult<bool> cancel(std::span<const JobKey> jobs);

  /// Slurm commands started so far.
  int commands_run() const { return commands_run_; }

 private:
  os::Result ask(std::vector<std::string> argv);

  std::chrono::milliseconds deadline_;
  int commands_run_ = 0;
};

}  // namespace rv::slurm
