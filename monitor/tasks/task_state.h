// The state of one task of an rv map run, and of all of them in one line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/tasks/task_record.h"

namespace rv::monitor {

enum class TaskState {
  not_started,
  running,      // started, or claimed by a node that runs
  ok,           // ended with 0
  failed,       // ended with another code
  interrupted,  // claimed, and perhaps started, but its end is not on record; or ended by the signal to stop
};

/// "ok", "failed", …
std::string_view to_string(TaskState state);

/// One task. `start` is that of the last attempt.
struct TaskResult {
  int task = 0;
  TaskState state = TaskState::not_started;
  std::string run;     // whose folder has the records: the run's, or that of an earlier one which it resumes
  std::string writer;  // "4711.0.n1"; empty: no node has claimed it
  std::optional<TaskRecord> start, end;
};

/// "n1" of "4711.0.n1".
std::string node_of(std::string_view writer);

struct TaskCounts {
  int total = 0, not_started = 0, running = 0, ok = 0, failed = 0, interrupted = 0;

  int ended() const { return ok + failed; }
  bool all_ok() const { return ok == total; }
};

TaskCounts count_states(const std::vector<TaskResult>& results);

/// Returns "9,998 of 10,000 tasks ok, 2 failed: tasks 17 (exit code 1), 4711 (SIGSEGV)".
std::string summary_of(const std::vector<TaskResult>& results);

}  // namespace rv::monitor
