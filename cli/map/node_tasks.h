// The processes of tasks on this node.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/map/task_slots.h"
#include "monitor/tasks/task_list.h"
#include "monitor/tasks/task_record.h"
#include "shared/system/descriptor.h"

namespace rv::cli {

class NodeTasks {
 public:
  /// `output`: the beginning of the names of the slots' output files.
  NodeTasks(const monitor::TaskList& list, std::vector<TaskSlot> slots, std::string output);

  int free_slots() const { return static_cast<int>(slots_.size() - running_.size()); }
  bool none() const { return running_.empty(); }
  /// Starts the task in a free slot, and returns its record. A program that can't be executed ends with 126 or 127, as
  /// in a shell. Throws Error if the system has no process for it.
  monitor::TaskRecord start(int task, int attempt);
  /// The next task that has ended; nothing if none has by now. What it has left in its process group is killed.
  std::optional<monitor::TaskRecord> reap();
  /// Sends the signal to the process groups of all tasks that run.
  void signal(int number) const;

 private:
  struct Slot {
    TaskSlot place;
    os::Descriptor output;
    bool busy = false;
  };
  std::vector<std::string> environment_of(int task, int slot) const;

  const monitor::TaskList& list_;
  std::vector<Slot> slots_;
  std::vector<std::string> environment_;  // of every task
  os::Descriptor input_;
  std::map<pid_t, monitor::TaskRecord> running_;
};

}  // namespace rv::cli
