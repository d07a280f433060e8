// The jobs of an array's elements: srun accepts only the job ID of an element, not "ID_INDEX".
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rv::monitor {

struct ElementJob {
  int index = 0;
  std::string job;  // for srun --jobid
  std::vector<std::string> nodes;
};

/// Returns the running elements of the array with this job ID, by index; empty if Slurm does not answer.
std::vector<ElementJob> running_elements(const std::string& array);

/// Reads lines "INDEX JOB NODES". Pure.
std::vector<ElementJob> parse_running_elements(const std::string& lines);

/// Returns the wanted element, or the first. Throws Error(no_such_run) if it is not running; `run` is the run's name
/// for the message.
ElementJob choose_element(const std::vector<ElementJob>& running, std::optional<int> wanted, const std::string& run);

}  // namespace rv::monitor
