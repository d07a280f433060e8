// What accounting says that jobs used: memory, processor time and wall time, for each start of a job.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slurm/parse/job_records.h"

namespace rv::slurm {

/// Format of `sacct -D -P -n --noconvert`: fields that every release from 20.11 on has. The name comes last because it
/// may hold any byte.
inline constexpr std::string_view job_use_format =
    "JobIDRaw,JobID,Start,End,State,NNodes,NTasks,AllocCPUS,TotalCPU,Timelimit,AllocTRES,MaxRSS,TRESUsageInTot,JobName";

/// One step that is over. Memory is what JobAcctGather sampled, every 30 s by default: a peak between two samples is
/// not in it. Page cache is not in it either (slurm.conf(5), JobAcctGatherType).
struct StepUse {
  std::string step;  // "batch", "extern", "0"
  TimePoint start;
  TimePoint end;
  int nodes = 1;
  int tasks = 1;
  std::optional<Mebibytes> largest_task;  // peak of the task that used most; nothing: never sampled
  std::optional<Mebibytes> all_tasks;     // the peaks of all tasks on all nodes, added up
};

/// One start of a job that is over; a requeued job has several.
struct JobUse {
  JobId id;           // an array's element has an ID of its own
  std::string shown;  // "123", "123_4"
  std::string name;   // empty: accounting does not know it yet
  std::string state;  // first word: "CANCELLED" for "CANCELLED by 1001"
  TimePoint start;
  TimePoint end;
  std::optional<std::chrono::seconds> limit;  // nothing: none
  int nodes = 1;
  int cpus = 0;                       // allocated, on all nodes
  int gpus = 0;                       // the same
  std::optional<Mebibytes> memory;    // allocated, on all nodes
  std::optional<double> cpu_seconds;  // that its processes computed; nothing: not gathered
  std::vector<StepUse> steps;
};

/// Starts that are over, in the order of the rows. Rows that can't be read are passed over.
std::vector<JobUse> parse_job_use(std::string_view text);

/// The peak memory of one node of the job: at each moment the peaks of the steps that ran then, added up. A step on
/// several nodes is taken to be spread evenly where its tasks divide by its nodes, else all of its tasks count on one
/// node. Nothing where a step of half a minute or more was never sampled (jobacct_gather/none), or no step was.
std::optional<Mebibytes> peak_of_a_node(const JobUse& job);

}  // namespace rv::slurm
