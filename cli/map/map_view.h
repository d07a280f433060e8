// What rv map prints about tasks.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/os/terminal.h"
#include "monitor/jobs/run_view.h"
#include "monitor/tasks/task_results.h"

namespace rv::cli {

/// The line of progress of a run that is followed.
class MapProgress {
 public:
  MapProgress(std::string run_folder, const monitor::TaskList& list) : reader_(std::move(run_folder), list) {}

  /// "1,200 of 10,000 tasks ended, 3 failed, 8 running, about 12m left". Reads what is new.
  std::string line(const monitor::RunView& view);

 private:
  monitor::TaskReader reader_;
};

/// One row per task: number, state, exit code or signal, seconds, node, GPUs, value.
std::string task_table(const monitor::TaskList& list, const std::vector<monitor::TaskResult>& results,
                       const os::Terminal& terminal);

/// The counts of "tasks" in rv show --json, and of rv map --results --json.
nlohmann::ordered_json counts_json(const monitor::TaskCounts& counts);

/// The document of rv map --results --json.
nlohmann::ordered_json results_json(const std::string& run, const monitor::TaskList& list,
                                    const std::vector<monitor::TaskResult>& results);

/// Prints on stderr which command runs the tasks that did not succeed. Prints nothing if all did.
void say_what_is_left(const std::string& run_folder, const os::Terminal& terminal);

}  // namespace rv::cli
