// A log of finished jobs of any machine, as values.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "planner/cluster/finished_job.h"

namespace rv::planner {

struct JobLog {
  std::string format;             // "SWF", "sacct", "CSV"
  std::vector<FinishedJob> jobs;  // those that started, by submission; a job that still runs ends after all others
  std::size_t rows = 0;           // all rows with data
  std::map<std::string, std::size_t> flaws;  // what is wrong or left out → number of rows
  bool has_gpus = false;                     // the log counts GPUs; otherwise jobs take whole nodes
  bool has_limits = false;
  bool has_users = false;
  bool has_partitions = false;
  std::optional<int> nodes;  // of the machine, where the log states it
};

}  // namespace rv::planner
