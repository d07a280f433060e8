// The resources that a run's jobs had and used, for each start of a job.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/views/gpu_readings.h"
#include "monitor/run/run_facts.h"
#include "slurm/gateway.h"

namespace rv::cli {

/// One GPU, as the job itself sampled it (jobs/<job>.<node>.gpus).
struct GpuUse {
  std::string node;
  int index = 0;
  int samples = 0;
  std::optional<double> busy;         // percent, the mean of the samples
  std::optional<double> most_busy;    // percent
  std::optional<double> peak_memory;  // MiB
  std::optional<double> memory;       // MiB that it has
};

/// One start of a job that is over.
struct AttemptUse {
  slurm::JobUse job;
  int restart = 0;                       // starts of the same job before this one
  std::optional<int> element;            // of an array
  std::optional<Mebibytes> memory;       // per node, that Slurm gave it
  std::optional<Mebibytes> peak_memory;  // of a node (slurm/accounting/job_use.h)
  std::optional<double> cpus;            // that computed, on average over its time
  std::vector<GpuUse> gpus;              // by node and index; empty: not sampled
};

struct RunUse {
  std::vector<AttemptUse> attempts;  // in accounting's order
  std::string trouble;               // why accounting did not answer; empty: it did
};

/// The samples of one job on one node.
struct JobSamples {
  slurm::JobId job;
  std::vector<KeptReadings> samples;  // by time
};

/// The jobs that were at the run's gate first: those whose use counts as the run's. Without losers of the race.
std::vector<slurm::JobId> jobs_of(const monitor::RunFacts& facts);

/// Puts the records together. Jobs that carry another name than the run's are left out (IDs are recycled), and so are
/// samples from outside of an attempt's time (a requeued job appends to the same file).
std::vector<AttemptUse> attempts_of(const std::vector<slurm::JobUse>& jobs, const monitor::RunRecord& record,
                                    const std::vector<JobSamples>& samples);

/// Asks accounting once and reads the samples in the run's folder.
RunUse run_use(const monitor::RunFolder& folder, const monitor::RunFacts& facts, slurm::Gateway& gateway);

}  // namespace rv::cli
