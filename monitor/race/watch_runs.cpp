#include "monitor/race/watch_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "monitor/race/watcher.h"

namespace rv::monitor {

SeenRuns see_runs(const std::vector<KnownRun>& runs) {
  SeenRuns seen;
  std::vector<monitor::RunFolder> folders;
  for (const auto& run : runs) {
    folders.push_back(run.folder);
    seen.records.push_back(run.record);
  }
  slurm::Gateway gateway;
  monitor::Watcher watcher(gateway, std::move(folders), seen.records);
  seen.views = watcher.look(true);
  seen.trouble = watcher.trouble();
  return seen;
}

void report_trouble(const std::string& trouble) {
  if (!trouble.empty()) {
    fmt::print(stderr, "rv: Slurm does not answer ({}); shown is what the run folders say\n", trouble);
  }
}

}  // namespace rv::monitor
