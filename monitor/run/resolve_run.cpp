#include "monitor/run/resolve_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/text.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {
namespace {

using Runs = std::vector<const KnownRun*>;

std::string listed(const Runs& runs) {
  std::string text;
  for (const auto* run : runs) {
    if (!text.empty()) text += ", ";
    text += run->record.id + " (" + one_line(run->record.name) + (run->over ? ", over)" : ")");
  }
  return text;
}

template <typename Condition>
Runs select(const std::vector<KnownRun>& runs, Condition condition) {
  Runs found;
  for (const auto& run : runs) {
    if (condition(run)) found.push_back(&run);
  }
  return found;
}

/// Which runs a word fits, in the order in which the kinds of match count.
struct Matches {
  Runs id;
  Runs live_names;
  Runs names;
  Runs live_beginnings;
  Runs beginnings;
};

Matches matches(const std::vector<KnownRun>& runs, const std::string& word) {
  refuse_empty(word);
  const auto named = [&](const KnownRun& run) { return run.record.name == word; };
  const auto begins = [&](const KnownRun& run) { return run.record.id.starts_with(word); };
  return {.id = select(runs, [&](const auto& run) { return run.record.id == word; }),
          .live_names = select(runs, [&](const auto& run) { return !run.over && named(run); }),
          .names = select(runs, named),
          .live_beginnings = select(runs, [&](const auto& run) { return !run.over && begins(run); }),
          .beginnings = select(runs, begins)};
}

[[noreturn]] void ambiguous(const std::string& word, const Runs& found) {
  throw Error(fmt::format("\"{}\" could be any of {} runs: {}", one_line(word), found.size(), listed(found)),
              "name one of them by its ID", ExitCode::no_such_run);
}

[[noreturn]] void unknown(const std::vector<KnownRun>& runs, const std::string& word) {
  std::vector<std::string> known;
  for (const auto& run : runs) {
    known.push_back(run.record.id);
    known.push_back(run.record.name);
  }
  throw Error(fmt::format("no run is called \"{}\"{}", one_line(word), suggestion(word, known)),
              "rv ps -a lists the runs", ExitCode::no_such_run);
}

const KnownRun& only(const std::string& word, const Runs& found) {
  if (found.size() > 1) ambiguous(word, found);
  return *found.front();
}

}  // namespace

bool is_newer(const monitor::RunRecord& a, const monitor::RunRecord& b) {
  return std::tie(b.created, b.created_ns, a.id) < std::tie(a.created, a.created_ns, b.id);
}

std::vector<KnownRun> known_runs(const std::string& runs_folder) {
  std::vector<KnownRun> runs;
  for (const auto& id : monitor::list_runs(runs_folder)) {
    monitor::RunFolder folder(fmt::format("{}/{}", runs_folder, id));
    try {
      auto record = folder.record();
      const bool over = monitor::is_over(folder);
      runs.push_back({std::move(folder), std::move(record), over});
    } catch (const Error&) {
      continue;  // another rv's or a damaged folder: it is no reason to show nothing at all
    }
  }
  std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return is_newer(a.record, b.record); });
  return runs;
}

void refuse_empty(const std::string& word) {
  if (word.empty()) throw Error("a run's ID can't be empty", "rv ps -a lists the runs", ExitCode::no_such_run);
}

KnownRun resolve_run(const std::vector<KnownRun>& runs, const std::string& word) {
  const auto found = matches(runs, word);
  for (const auto& exact : {found.id, found.live_names, found.names}) {
    if (!exact.empty()) return *exact.front();
  }
  for (const auto& beginnings : {found.live_beginnings, found.beginnings}) {
    if (!beginnings.empty()) return only(word, beginnings);
  }
  unknown(runs, word);
}

KnownRun resolve_certain_run(const std::vector<KnownRun>& runs, const std::string& word) {
  const auto found = matches(runs, word);
  for (const auto& candidates : {found.id, found.live_names, found.names, found.live_beginnings}) {
    if (!candidates.empty()) return only(word, candidates);
  }
  if (found.beginnings.empty()) unknown(runs, word);
  throw Error(fmt::format("no run under way is called \"{}\" or has an ID that begins so; over are {}", one_line(word),
                          listed(found.beginnings)),
              "rv ps lists the runs under way; name one that is over by its whole ID", ExitCode::no_such_run);
}

void say_what_was_taken(const std::string& word, const monitor::RunRecord& run) {
  if (word == run.id) return;
  fmt::print(stderr, "rv: {} is taken for run {} ({})\n", one_line(word), run.id, one_line(run.name));
}

KnownRun latest_run(const std::vector<KnownRun>& runs) {
  if (runs.empty()) {
    throw Error("there is no run yet", "start one with rv up or rv run", ExitCode::no_such_run);
  }
  return runs.front();
}

}  // namespace rv::monitor
