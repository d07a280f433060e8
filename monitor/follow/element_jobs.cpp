#include "monitor/follow/element_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <sstream>

#include "base/error.h"
#include "base/os/process.h"
#include "monitor/run/elements.h"
#include "slurm/environment.h"
#include "slurm/parse/hostlist.h"

namespace rv::monitor {

std::vector<ElementJob> running_elements(const std::string& array) {
  return parse_running_elements(os::run({.argv = {"squeue", "-h", "-r", "-j", array, "-t", "RUNNING", "-o", "%K %A %N"},
                                         .input = "",
                                         .deadline = std::chrono::seconds(30),
                                         .environment = slurm::query_environment(),
                                         .folder = ""})
                                    .out);
}

std::vector<ElementJob> parse_running_elements(const std::string& lines) {
  std::vector<ElementJob> elements;
  std::istringstream rest(lines);
  ElementJob one;
  for (std::string nodes; rest >> one.index >> one.job >> nodes;) {
    one.nodes = slurm::expand_hostlist(nodes);
    elements.push_back(one);
  }
  std::sort(elements.begin(), elements.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
  return elements;
}

ElementJob choose_element(const std::vector<ElementJob>& running, std::optional<int> wanted, const std::string& run) {
  if (running.empty()) {
    throw Error("no element of run " + run + " is running now", "rv ps shows its progress", ExitCode::no_such_run);
  }
  if (!wanted) return running.front();
  for (const auto& element : running) {
    if (element.index == *wanted) return element;
  }
  std::vector<int> indices;
  indices.reserve(running.size());
  for (const auto& element : running) indices.push_back(element.index);
  throw Error(fmt::format("element {} of run {} is not running now", *wanted, run),
              "running elements: " + index_ranges(indices), ExitCode::no_such_run);
}

}  // namespace rv::monitor
