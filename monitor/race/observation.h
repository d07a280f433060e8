// The result of one poll of a run, from which a client decides. Pure.
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

/// What a run's folder and the queue say about it, and the jobs in the queue that its journal lacks.
struct RunInQueue {
  /// `run_queue`: the rows of this run's jobs. Its `answered` is false if this poll did not query Slurm, or got no
  /// answer.
  RunInQueue(RunFacts folder, QueueView run_queue);

  RunFacts facts;  // its events include those of `found`, which this poll records
  QueueView queue;
  std::vector<FoundJob> found;  // empty if the run has an outcome
};

/// What a client knows about jobs from this poll and earlier ones.
struct KnownJobs {
  std::map<JobKey, JobStatus> statuses;
  std::map<JobKey, Sighting> alive;  // when the job was last seen alive in the queue
};

/// What Slurm reported besides the queue in this poll.
struct SlurmFindings {
  std::vector<JobId> unknown_to_slurm;  // jobs that neither the controller nor accounting has
  bool step_ended = false;  // the command inside another run had begun, and the job does not list its step any more
  bool elsewhere = false;   // the run's jobs belong to another cluster than this machine's
};

/// The machine of the client at the time of the poll.
struct ClientMachine {
  TimePoint now;
  BootMoment moment;            // the same moment on the boot clock, for waiting times
  std::string host;             // this machine
  std::chrono::seconds lag{0};  // how long a record may take to become visible on the run's file system
};

struct Observation : RunInQueue, SlurmFindings, ClientMachine {
  /// Copies the entries of the run's jobs from `jobs`.
  Observation(RunInQueue run, SlurmFindings findings, const KnownJobs& jobs, ClientMachine machine);

  std::map<JobId, JobStatus> statuses;  // of the run's jobs
  bool followed = false;                // this client has seen a job of the run in the queue
};

}  // namespace rv::monitor
