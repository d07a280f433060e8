// The journal of the tasks on one node: one line for each start and each end.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rv::monitor {

enum class TaskEvent {
  start,     // the task was started
  end,       // it has ended by itself
  cut,       // it has ended, not with 0, after the signal to stop
  returned,  // it was claimed and not started
};

struct TaskRecord {
  TaskEvent event = TaskEvent::start;
  int task = 0;     // from 1
  int attempt = 1;  // 2: the first retry
  int slot = 0;
  std::string gpus = {};            // as in CUDA_VISIBLE_DEVICES; empty: none
  double time = 0;                  // epoch seconds
  long long offset = 0, bytes = 0;  // where its output is in the slot's file; bytes: of an end
  int code = 0;                     // of an end: the exit code, 128 + N after signal N
  int signal = 0;                   // 0: it exited
};

/// One line without its end: "start 17 1 0 2,3 1790000000.123 4096 0 0 0".
std::string to_line(const TaskRecord& record);

/// Nothing for another text, such as the torn last line of a journal.
std::optional<TaskRecord> parse_task_record(std::string_view line);

/// "exit code 3", "SIGSEGV".
std::string end_in_words(const TaskRecord& record);
/// The same, short: "3", "SIGSEGV".
std::string end_in_brief(const TaskRecord& record);

}  // namespace rv::monitor
