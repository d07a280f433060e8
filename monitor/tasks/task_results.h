// How the tasks of an rv map run stand, from the journals of its nodes and the claims.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "monitor/tasks/task_claims.h"
#include "monitor/tasks/task_list.h"
#include "monitor/tasks/task_record.h"
#include "monitor/tasks/task_state.h"

namespace rv::monitor {

/// Reads the records of a run; a second call of read() reads only what is new.
class TaskReader {
 public:
  /// Throws Error if the list is damaged.
  TaskReader(std::string run_folder, TaskList list);

  void read();
  /// All tasks that the run runs, and with `earlier` those of the runs that it resumes, in ascending order. `over`: the
  /// run has ended, so nothing is running.
  std::vector<TaskResult> results(bool over, bool earlier = true) const;
  const TaskList& list() const { return list_; }
  /// When the first task began, in epoch seconds; 0: none has.
  double began() const { return began_; }
  /// All records of a task in this run, with their writers, in the order of time.
  std::vector<std::pair<std::string, TaskRecord>> records_of(int task) const;

 private:
  struct Seen {
    std::string writer;
    std::optional<TaskRecord> start, end;
    bool returned = false;
  };
  void take(const std::string& writer, const TaskRecord& record);
  void read_journal(const std::string& writer);
  TaskResult result_of(int task, bool over) const;

  std::string folder_, run_;
  TaskList list_;
  ClaimFolder claims_;
  std::map<std::string, std::size_t> read_;  // bytes of each journal
  std::map<int, Seen> seen_;
  std::vector<TaskResult> earlier_;
  double began_ = 0;
};

/// The results that a resumed run starts with: written to map/earlier of its folder. Throws Error.
void write_earlier_results(const std::string& run_folder, const std::vector<TaskResult>& results);

/// The bytes of a task's output in the folder of its run.
std::string output_of(const std::string& run_folder, const std::string& writer, const TaskRecord& start,
                      const std::optional<TaskRecord>& end);

}  // namespace rv::monitor
