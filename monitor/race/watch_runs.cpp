#include "monitor/race/watch_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "monitor/race/watcher.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

PolledRuns poll_runs(const std::vector<KnownRun>& runs, const std::vector<KnownRun>& also_polled) {
  PolledRuns seen;
  std::vector<monitor::RunFolder> folders;
  for (const auto& run : runs) {
    folders.push_back(run.folder);
    seen.records.push_back(run.record);
  }
  auto records = seen.records;
  for (const auto& run : also_polled) {
    folders.push_back(run.folder);
    records.push_back(run.record);
  }
  slurm::Gateway gateway;
  monitor::Watcher watcher(gateway, std::move(folders), records);
  seen.views = watcher.poll(true);
  seen.views.resize(runs.size());
  seen.trouble = watcher.trouble();
  return seen;
}

bool holds_gpus(const RunFolder& folder, const RunView& view) {
  if (is_final(view.state)) return false;
  const auto claim = read_facts(folder).claim;
  return claim && !claim->by_stop;
}

PolledRun poll_named_or_holding(const std::vector<ListedRun>& runs, const std::optional<std::string>& word) {
  if (word) {
    auto run = resolve_run(runs, *word);
    auto seen = poll_runs({run});
    return {std::move(run), std::move(seen.views.front())};
  }
  const auto open = open_runs(runs);
  const auto seen = poll_runs(open);
  std::optional<std::size_t> waiting;
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (open[i].record.job.inside) continue;  // its GPUs are those of the run that it is in
    if (holds_gpus(open[i].folder, seen.views[i])) return {open[i], seen.views[i]};
    if (!waiting && !is_final(seen.views[i].state)) waiting = i;
  }
  if (waiting) return {open[*waiting], seen.views[*waiting]};
  throw Error("no run holds GPUs or waits for GPUs", "get GPUs with rv up; rv ps -a lists all runs",
              ExitCode::no_such_run);
}

void report_trouble(const std::string& trouble) {
  if (!trouble.empty()) {
    fmt::print(stderr, "rv: Slurm does not answer ({}); states come from the run folders\n", trouble);
  }
}

}  // namespace rv::monitor
