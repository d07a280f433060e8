// All that one poll has shown of a run: what a client decides by.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "base/boot_clock.h"
#include "monitor/jobs/job_status.h"
#include "monitor/jobs/lookup.h"
#include "monitor/race/found_jobs.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

struct Observation {
  RunFacts facts;                       // what the folder says; the jobs in `found` are in its events already
  QueueView queue;                      // of this run; not answered: this poll did not query Slurm, or got no answer
  std::map<JobId, JobStatus> statuses;  // Slurm's word on the run's jobs, of this poll or of an earlier one
  std::vector<FoundJob> found;          // in the queue, and not on record yet
  std::vector<JobId> unknown_to_slurm;  // asked about in this poll: neither the controller nor accounting has them
  bool elsewhere = false;               // the run's jobs belong to another cluster than this machine's
  bool followed = false;                // this client has seen a job of it in the queue
  TimePoint now;                        // this machine's clock
  BootMoment moment;                    // the same on a clock that nobody sets, for waiting times
  std::string host;                     // this machine
  std::chrono::seconds lag{0};          // how long a record may take to be seen on the run's file system
};

}  // namespace rv::monitor
