#include "cli/resolve_run.h"

#include <algorithm>

#include "cli/did_you_mean.h"
#include "monitor/run_facts.h"
#include "planner/error.h"

namespace rv::cli {
namespace {

std::string listed(const std::vector<const KnownRun*>& runs) {
  std::string text;
  for (const auto* run : runs) {
    if (!text.empty()) text += ", ";
    text += run->record.id + " (" + run->record.name + (run->over ? ", over)" : ")");
  }
  return text;
}

template <typename Condition>
std::vector<const KnownRun*> select(const std::vector<KnownRun>& runs, Condition condition) {
  std::vector<const KnownRun*> found;
  for (const auto& run : runs) {
    if (condition(run)) found.push_back(&run);
  }
  return found;
}

[[noreturn]] void ambiguous(const std::string& word, const std::vector<const KnownRun*>& found) {
  throw Error("\"" + word + "\" could be any of " + std::to_string(found.size()) + " runs: " + listed(found),
              "name one of them by its ID", ExitCode::no_such_run);
}

}  // namespace

std::string runs_folder(const Settings& settings) {
  return settings.home + "/runs";
}

std::vector<KnownRun> known_runs(const Settings& settings) {
  std::vector<KnownRun> runs;
  for (const auto& id : monitor::list_runs(runs_folder(settings))) {
    monitor::RunFolder folder(runs_folder(settings) + "/" + id);
    try {
      auto record = folder.record();
      const bool over = monitor::is_over(folder);
      runs.push_back({std::move(folder), std::move(record), over});
    } catch (const Error&) {
      continue;  // another rv's or a damaged folder: it is no reason to show nothing at all
    }
  }
  std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
    return a.record.created != b.record.created ? a.record.created > b.record.created : a.record.id < b.record.id;
  });
  return runs;
}

KnownRun resolve_run(const std::vector<KnownRun>& runs, const std::string& word) {
  if (word.empty()) throw Error("a run's ID can't be empty", "rv ps -a lists the runs", ExitCode::no_such_run);
  const auto exact = select(runs, [&](const auto& run) { return run.record.id == word; });
  if (!exact.empty()) return *exact.front();
  const auto prefixed = select(runs, [&](const auto& run) { return run.record.id.starts_with(word); });
  if (prefixed.size() == 1) return *prefixed.front();
  const auto named = select(runs, [&](const auto& run) { return run.record.name == word; });
  const auto alive = select(runs, [&](const auto& run) { return run.record.name == word && !run.over; });
  if (alive.size() == 1) return *alive.front();
  if (named.size() == 1) return *named.front();
  if (named.size() > 1) ambiguous(word, alive.empty() ? named : alive);
  if (prefixed.size() > 1) ambiguous(word, prefixed);
  std::vector<std::string> known;
  for (const auto& run : runs) {
    known.push_back(run.record.id);
    known.push_back(run.record.name);
  }
  throw Error("no run is called \"" + word + "\"" + suggestion(word, known), "rv ps -a lists the runs",
              ExitCode::no_such_run);
}

KnownRun latest_run(const std::vector<KnownRun>& runs) {
  if (runs.empty()) {
    throw Error("there is no run yet", "start one with rv up or rv run", ExitCode::no_such_run);
  }
  return runs.front();
}

}  // namespace rv::cli
