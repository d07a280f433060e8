// The tasks of an rv map run, as they were submitted: the files list.json, command, options and values in the folder
// map/ of the run's folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rv::monitor {

/// More tasks than this are a mistake, and their claims and records would be slow to read.
inline constexpr int most_tasks = 1'000'000;

struct TaskList {
  std::vector<std::string> command;  // with placeholders, before the value of a task is put in
  bool named = false;                // the values are JSON objects, whose members are named in `command`
  int per_gpu = 1;                   // tasks at a time on one GPU
  int gpus_per_task = 1;             // 1 if per_gpu is more than 1; 0: a run without GPUs
  int cpus_per_task = 1;             // of a run without GPUs
  int retries = 0;                   // how often a task that failed is started again
  bool keeps_threads = false;        // OMP_NUM_THREADS is the user's own
  std::vector<int> numbers;          // the tasks that this run runs, in ascending order
  std::string resumes;               // the run that it continues; empty: none
  std::vector<std::string> options;  // the options of rv map, for --resume
  std::vector<std::string> values;   // of all tasks, also of those that an earlier run has run; task 1 is the first

  const std::string& value(int task) const { return values.at(static_cast<std::size_t>(task) - 1); }
  int count() const { return static_cast<int>(values.size()); }
};

/// Makes the folder map/ of a run's folder, with these files. Throws Error.
void write_task_list(const std::string& run_folder, const TaskList& list);

/// Nothing if the run is not one of rv map. Throws Error if the files can't be read or are damaged.
std::optional<TaskList> read_task_list(const std::string& run_folder);

/// Whether the run is one of rv map.
bool has_tasks(const std::string& run_folder);

}  // namespace rv::monitor
