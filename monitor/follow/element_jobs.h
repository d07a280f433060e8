// The jobs of an array's elements: srun takes none of their names, only each one's own number.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rv::monitor {

struct ElementJob {
  int index = 0;
  std::string job;  // as srun --jobid takes it
  std::vector<std::string> nodes;
};

/// Those of this array (its job ID) that Slurm says are running, by index; none when it does not answer.
std::vector<ElementJob> running_elements(const std::string& array);

/// Lines of "INDEX JOB NODES" → the same. Pure.
std::vector<ElementJob> parse_running_elements(const std::string& lines);

/// The wanted one, or the first. Throws Error(no_such_run) where it does not run; `run` is what the message calls it.
ElementJob choose_element(const std::vector<ElementJob>& running, std::optional<int> wanted, const std::string& run);

}  // namespace rv::monitor
