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

/// The clusters whose records accounting returns: this one, or all in its database.
enum class Clusters { own, all };

class Gateway {
 public:
  /// `deadline`: the time limit of each command.
  explicit Gateway(std::chrono::milliseconds deadline = std::chrono::seconds(30));

  /// Reads everything that a plan needs, with all commands at once. Throws Error(slurm), with Slurm's message, if it
  /// can't read the nodes or the partitions; other queries that failed are listed in Cluster::unanswered. The limits of
  /// QOS and associations are cached in `cache_folder` and refreshed in the background; empty: no cache. `hidden`: also
  /// read partitions, and their nodes, that the site hides from this user. Nodes and partitions are empty if Slurm
  /// shows none to this user.
  planner::Cluster read_cluster(const std::string& cache_folder = "", bool hidden = false);

  /// Runs `sbatch --parsable SCRIPT` with `folder` as its working directory. The job's own working directory is set by
  /// the script. `options` override the script's #SBATCH lines; `arguments` are passed to the script. Calls sbatch only
  /// once: if the outcome is unknown, the job may exist.
  Submission submit(const std::string& script_path, const std::string& folder,
                    const std::vector<std::string>& options = {}, const std::vector<std::string>& arguments = {});

  /// `sbatch --test-only` on a script's text: when and where the job would start, as the controller predicts at this
  /// moment. Submits nothing, but uses up a job ID and takes the controller's locks, so callers limit the number of
  /// calls with slurm/call_budget.h.
  planner::TestOnlyResult would_start(const std::string& script);

  /// Reads all jobs of this user that the controller still has, also finished ones, with one squeue.
  QueryResult<std::vector<QueueRow>> my_jobs();

  /// Reads the steps of this user's jobs that have a number: not those of the batch scripts.
  QueryResult<std::vector<StepRow>> my_steps();

  /// Reads one job from the controller's memory. The answer is an empty vector if the controller does not have the job
  /// (any more). That does not prove that the job has ended.
  QueryResult<std::vector<JobRecord>> record(JobId id);

  /// Reads these nodes, given by a list as Slurm writes it: "n[1-2],n7".
  QueryResult<std::vector<planner::Node>> nodes(const std::string& list);

  /// Reads the controller's cluster name and boot time from `scontrol show config`.
  QueryResult<ControllerIdentity> controller();

  /// Reads all accounting rows for these IDs: one row for each start of a job (a requeue adds a start). Rows of earlier
  /// jobs with the same ID are included; rows_of() selects those of one job. On a cluster without accounting the answer
  /// is an empty vector.
  QueryResult<std::vector<AccountingRow>> accounting(std::span<const JobId> ids, Clusters clusters = Clusters::own);

  /// Reads the use of these jobs, for each start that has ended. No answer if the cluster has no accounting, or
  /// accounting does not respond.
  QueryResult<std::vector<JobUse>> job_use(std::span<const JobId> ids);

  /// Reads the user's jobs that ended in [from, to), without their steps. No answer if the cluster has no accounting,
  /// or accounting does not respond.
  QueryResult<std::vector<JobUse>> ended_jobs(const std::string& user, TimePoint from, TimePoint to);

  /// Reads the use of these accounts' jobs in [from, to), as far as accounting shows the jobs to this user.
  QueryResult<std::map<planner::DatabaseName, UsedTime>> account_use(const std::vector<std::string>& accounts,
                                                                     TimePoint from, TimePoint to);

  /// Reads the fair share of the account. The answer is an empty optional if the site does not use fair share.
  QueryResult<std::optional<FairShare>> fair_share(const std::string& account);

  /// Reads the jobs of all users that ended in [from, to), as far as accounting shows them to this user. No answer if
  /// the cluster has no accounting, or accounting does not respond.
  QueryResult<FinishedJobs> finished_jobs(planner::TimePoint from, planner::TimePoint to);

  /// Runs sprio and sshare for this user, and returns both outputs as one text for parse_priority. No answer if both
  /// failed.
  QueryResult<std::string> priority_answer(const std::string& user);

  /// rv's only way to cancel jobs. Slurm itself compares ID, name and user (slurmctld from 23.11 on, scancel before),
  /// so another job with the same ID is never cancelled. Runs one scancel per job name. Returns true if Slurm accepted
  /// all of them; jobs that are over or have another name are not an error. No answer if a scancel failed: the caller
  /// tries again in a later poll. Never returns false.
  QueryResult<bool> cancel(std::span<const JobKey> jobs);

  /// Sends a signal to steps of a job: "TERM", "KILL". Slurm compares the job's ID, name and user, as for cancel().
  QueryResult<bool> signal(const JobKey& job, const std::vector<StepRow>& steps, const std::string& signal);

  /// The number of Slurm commands that were started so far.
  int commands_run() const { return commands_run_; }

 private:
  os::Result ask(std::vector<std::string> argv);

  std::chrono::milliseconds deadline_;
  int commands_run_ = 0;
};

}  // namespace rv::slurm
