// All that one poll has shown of a run: what a client decides by. Pure.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "base/boot_clock.h"
#include "monitor/jobs/job_status.h"
#include "monitor/jobs/lookup.h"
#include "monitor/race/found_jobs.h"
#include "monitor/race/unknown_to_slurm.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

/// A run's folder, and the jobs in the queue that its journal lacks.
struct RunInQueue {
  /// `run_queue`: the rows of this run's jobs. Not answered: this poll did not query Slurm, or got no answer.
  RunInQueue(RunFacts folder, QueueView run_queue);

  RunFacts facts;  // the jobs in `found` are in its events already: this poll records them
  QueueView queue;
  std::vector<FoundJob> found;  // none once the run has an outcome
};

/// Jobs as a client knows them from this poll and from earlier ones.
struct KnownJobs {
  std::map<JobKey, JobStatus> statuses;
  std::map<JobKey, Sighting> alive;  // in the queue: the last time
};

/// What Slurm reported besides the queue in this poll.
struct SlurmFindings {
  std::vector<JobId> unknown_to_slurm;  // neither the controller nor accounting has them
  bool elsewhere = false;               // the run's jobs belong to another cluster than this machine's
};

/// The machine of the client at the time of the poll.
struct ClientMachine {
  TimePoint now;
  BootMoment moment;            // the same on the boot clock, for waiting times
  std::string host;             // this machine
  std::chrono::seconds lag{0};  // how long a record may take to be seen on the run's file system
};

struct Observation : RunInQueue, SlurmFindings, ClientMachine {
  /// Takes from `jobs` what concerns the run.
  Observation(RunInQueue run, SlurmFindings findings, const KnownJobs& jobs, ClientMachine machine);

  std::map<JobId, JobStatus> statuses;  // of the run's jobs
  bool followed = false;                // this client has seen a job of it in the queue
};

}  // namespace rv::monitor
