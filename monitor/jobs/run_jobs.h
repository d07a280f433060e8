// The jobs of a run: those that stand for its candidates, those to be asked about, those that are not needed any more.
#pragma once

#include <vector>

#include "monitor/jobs/job_status.h"
#include "monitor/jobs/lookup.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

/// Where the candidates stand according to journal and ledger.
std::vector<CandidateJournal> journals_of(const RunFacts& facts);

/// Whether a candidate of the present attempt has neither a job nor a refusal on record, and is still to be submitted.
bool has_unsubmitted(const RunFacts& facts);

/// Jobs of the present attempt that are in the queue and may start or run, by their names: an sbatch without an answer
/// can have been accepted without anybody knowing the job's ID.
std::vector<slurm::QueueRow> live_jobs(const RunFacts& facts, const QueueView& queue);

/// Jobs that would have to be asked about to say more: those that may be alive.
std::vector<JobKey> open_jobs(const RunFacts& facts);

/// Whether the run is over and a job of it may be left in the queue: of a candidate that did not record the end, or of
/// an sbatch whose answer was not recorded.
bool may_have_left_jobs(const RunFacts& facts);
/// Jobs of this run that are alive in the queue although the run has been claimed by another job, by stop, or is over.
std::vector<JobKey> losers(const RunFacts& facts, const QueueView& queue);

}  // namespace rv::monitor
