#include "monitor/run/resolve_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/text.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {
namespace {

using Runs = std::vector<const ListedRun*>;

std::string listed(const Runs& runs) {
  std::string text;
  for (const auto* run : runs) {
    if (!text.empty()) text += ", ";
    text += run->id() + " (" + one_line(run->name) + (run->over ? ", over)" : ")");
  }
  return text;
}

template <typename Condition>
Runs select(const std::vector<ListedRun>& runs, Condition condition) {
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
  Runs live_jobs;
  Runs jobs;  // of several the newest: Slurm uses its IDs again
  Runs live_beginnings;
  Runs beginnings;
};

/// Those that have or had a Slurm job of this ID: "4711", "4711_3".
Runs with_job(const std::vector<ListedRun>& runs, std::string_view word) {
  const auto job = slurm::parse_job_id(word.substr(0, word.find('_')));
  if (!job) return {};
  return select(runs, [&](const ListedRun& run) {
    if (run.ended) return std::find(run.ended->jobs.begin(), run.ended->jobs.end(), *job) != run.ended->jobs.end();
    // The job of a command inside another run is that run's.
    if (run.record && run.record->job.inside) return false;
    const auto events = run.folder.events();
    return std::any_of(events.begin(), events.end(), [&](const Event& event) { return event.job == job; });
  });
}

Matches matches(const std::vector<ListedRun>& runs, const std::string& word) {
  refuse_empty(word);
  const auto named = [&](const ListedRun& run) { return run.name == word; };
  const auto id = select(runs, [&](const auto& run) { return run.id() == word; });
  const auto names = select(runs, named);
  // Reads the events of each run that is not in the index, so only for a word that nothing before matches.
  const auto jobs = id.empty() && names.empty() ? with_job(runs, word) : Runs();
  Runs live_jobs;
  std::copy_if(jobs.begin(), jobs.end(), std::back_inserter(live_jobs), [](const auto* run) { return !run->over; });
  const auto begins = [&](const ListedRun& run) { return run.id().starts_with(word); };
  return {.id = id,
          .live_names = select(runs, [&](const auto& run) { return !run.over && named(run); }),
          .names = names,
          .live_jobs = live_jobs,
          .jobs = jobs,
          .live_beginnings = select(runs, [&](const auto& run) { return !run.over && begins(run); }),
          .beginnings = select(runs, begins)};
}

[[noreturn]] void ambiguous(const std::string& word, const Runs& found) {
  throw Error(fmt::format("\"{}\" could be any of {} runs: {}", one_line(word), found.size(), listed(found)),
              "use the ID of one of them", ExitCode::no_such_run);
}

[[noreturn]] void unknown(const std::vector<ListedRun>& runs, const std::string& word) {
  std::vector<std::string> known;
  for (const auto& run : runs) {
    known.push_back(run.id());
    known.push_back(run.name);
  }
  throw Error(fmt::format("no run has the ID or name \"{}\"{}", one_line(word), suggestion(word, known)),
              "rv ps -a lists the runs", ExitCode::no_such_run);
}

const ListedRun& only(const std::string& word, const Runs& found) {
  if (found.size() > 1) ambiguous(word, found);
  return *found.front();
}

}  // namespace

void refuse_empty(const std::string& word) {
  if (word.empty()) throw Error("a run's ID can't be empty", "rv ps -a lists the runs", ExitCode::no_such_run);
}

KnownRun resolve_run(const std::vector<ListedRun>& runs, const std::string& word) {
  const auto found = matches(runs, word);
  for (const auto& exact : {found.id, found.live_names, found.names, found.live_jobs, found.jobs}) {
    if (!exact.empty()) return read_run(*exact.front());
  }
  for (const auto& beginnings : {found.live_beginnings, found.beginnings}) {
    if (!beginnings.empty()) return read_run(only(word, beginnings));
  }
  unknown(runs, word);
}

KnownRun resolve_certain_run(const std::vector<ListedRun>& runs, const std::string& word) {
  const auto found = matches(runs, word);
  for (const auto& candidates :
       {found.id, found.live_names, found.names, found.live_jobs, found.jobs, found.live_beginnings}) {
    if (!candidates.empty()) return read_run(only(word, candidates));
  }
  if (found.beginnings.empty()) unknown(runs, word);
  throw Error(fmt::format("no active run has the name \"{}\" or an ID that begins with it; runs that are over: {}",
                          one_line(word), listed(found.beginnings)),
              "rv ps lists active runs; give the whole ID of a run that is over", ExitCode::no_such_run);
}

void say_what_was_taken(const std::string& word, const monitor::RunRecord& run) {
  if (word == run.id) return;
  const auto name = word == run.name ? std::string() : fmt::format(" ({})", one_line(run.name));
  fmt::print(stderr, "rv: {} is run {}{}\n", one_line(word), run.id, name);
}

KnownRun latest_run(const std::vector<ListedRun>& runs) {
  if (runs.empty()) {
    throw Error("you have no runs yet", "start one with rv up or rv run", ExitCode::no_such_run);
  }
  return read_run(runs.front());
}

}  // namespace rv::monitor
