#include "monitor/run/listed_runs.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/os/listing.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {
namespace {

bool ended_just_now(const RunFolder& folder) {
  const auto since = std::filesystem::file_time_type::clock::now() - std::chrono::minutes(10);
  // The entry that ended the run is the last that changed the folder.
  std::error_code error;
  const auto changed = std::filesystem::last_write_time(folder.ledger(), error);
  return !error && changed > since;
}

ListedRun from_index(RunFolder folder, const std::shared_ptr<const EndedRun>& ended) {
  return {.folder = std::move(folder),
          .name = ended->name,
          .created = ended->created,
          .created_ns = ended->created_ns,
          .over = true,
          .ended = ended};
}

ListedRun from_folder(RunFolder folder) {
  auto record = std::make_shared<const RunRecord>(folder.record());
  const bool over = is_over(folder);
  return {.folder = std::move(folder),
          .name = record->name,
          .created = record->created,
          .created_ns = record->created_ns,
          .over = over,
          .record = record};
}

}  // namespace

std::string ListedRun::environment() const {
  if (!record) return ended->environment;
  return record->job.environment ? record->job.environment->prefix : "";
}

RunList list_runs(const std::string& runs_folder) {
  auto index = EndedRuns::read(RunFolder(runs_folder + "/-").home());
  constexpr int saved_after = 500;
  int added = 0;
  RunList list;
  auto ids = os::names_in(runs_folder);
  std::erase_if(ids, [](const std::string& id) { return id.front() == '.'; });
  list.runs.reserve(ids.size());
  for (const auto& id : ids) {
    RunFolder folder(std::string(runs_folder).append("/").append(id));
    if (const auto ended = index.find(id)) {
      list.runs.push_back(from_index(std::move(folder), ended));
      continue;
    }
    try {
      auto run = from_folder(folder);
      if (run.over && !ended_just_now(folder)) {
        if (auto ended = read_ended_run(folder)) index.put(std::move(*ended));
        run.ended = index.find(id);
        // Thousands of folders may take minutes the first time, and the user may not wait for the end.
        if (++added % saved_after == 0) index.save();
      }
      list.runs.push_back(std::move(run));
    } catch (const Error&) {
      // Another rv's or a damaged folder: it is not a reason to show nothing at all.
      if (::access(folder.file("run.json").c_str(), F_OK) == 0) ++list.unreadable;
    }
  }
  index.keep_only(ids);
  index.save();
  std::sort(list.runs.begin(), list.runs.end(), is_newer);
  return list;
}

std::vector<ListedRun> runs_in(const std::string& runs_folder) {
  return list_runs(runs_folder).runs;
}

KnownRun read_run(const ListedRun& run) {
  if (run.record) return {run.folder, *run.record, run.over};
  return {run.folder, run.folder.record(), is_over(run.folder)};
}

std::vector<KnownRun> read_runs(const std::vector<ListedRun>& runs) {
  std::vector<KnownRun> read;
  read.reserve(runs.size());
  for (const auto& run : runs) {
    try {
      read.push_back(read_run(run));
    } catch (const Error&) {
      continue;  // removed just now
    }
  }
  return read;
}

std::vector<KnownRun> open_runs(const std::vector<ListedRun>& runs) {
  std::vector<ListedRun> open;
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(open), [](const auto& run) { return !run.over; });
  return read_runs(open);
}

std::vector<KnownRun> recently_ended(const std::vector<ListedRun>& runs) {
  std::vector<ListedRun> recent;
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(recent),
               [](const auto& run) { return run.over && !run.ended && ended_just_now(run.folder); });
  return read_runs(recent);
}

std::optional<TimePoint> end_time(const ListedRun& run) {
  if (run.ended) return run.ended->ended;
  const auto facts = read_facts(run.folder);
  return facts.outcome && is_final(facts.outcome->state) ? std::optional(facts.outcome->time) : std::nullopt;
}

bool is_newer(const ListedRun& a, const ListedRun& b) {
  return std::forward_as_tuple(b.created, b.created_ns, a.folder.path()) <
         std::forward_as_tuple(a.created, a.created_ns, b.folder.path());
}

}  // namespace rv::monitor
