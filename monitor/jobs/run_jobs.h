// The jobs of a run: the jobs of its candidates, jobs whose status Slurm must report, and jobs to cancel.
#pragma once

#include <vector>

#include "monitor/jobs/job_status.h"
#include "monitor/jobs/lookup.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

/// Returns what journal and ledger say about each candidate.
std::vector<CandidateJournal> journals_of(const RunFacts& facts);

/// Whether a candidate of the present attempt must still be submitted: it has neither a job nor a refusal on record.
bool has_unsubmitted(const RunFacts& facts);

/// Returns the jobs of the present attempt that are in the queue and may start or run. Finds them by name, because
/// Slurm may have accepted an sbatch whose answer, with the job's ID, was lost.
std::vector<slurm::QueueRow> live_jobs(const RunFacts& facts, const QueueView& queue);

/// Returns Slurm's name of the candidate's job: for a command inside another run, the name of that run's job.
std::string name_in_slurm(const RunFacts& facts, const Candidate& candidate);

/// Returns the jobs that may be alive, so Slurm must be asked about them.
std::vector<JobKey> open_jobs(const RunFacts& facts);

/// Whether the run is over and may have left a job in the queue: the job of a candidate that did not win or may be
/// started again, or of an sbatch whose answer was not recorded.
bool may_have_left_jobs(const RunFacts& facts);
/// Returns jobs of this run that are alive in the queue and not needed: another job or rv stop has the claim, or the
/// run is over.
std::vector<JobKey> losers(const RunFacts& facts, const QueueView& queue);

}  // namespace rv::monitor
