// rv gc: old run folders go.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/commands/upkeep/old_reports.h"
#include "cli/commands/upkeep/record_ends.h"
#include "cli/json/values_json.h"
#include "cli/options/command_option.h"
#include "cli/options/option_values.h"
#include "cli/options/value_option.h"
#include "cli/project/prepare/unneeded.h"
#include "cli/remote/sync/prune_snapshots.h"
#include "cli/setup/ask.h"
#include "cli/views/run_table.h"
#include "monitor/jobs/lookup.h"
#include "monitor/run/listed_runs.h"
#include "monitor/run/retention.h"
#include "monitor/run/run_storage.h"
#include "shared/time_text.h"
#include "slurm/command_trouble.h"

namespace rv::cli {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::hours default_age = 30 * 24h;
constexpr std::chrono::hours default_keep = 7 * 24h;
// Files written this recently may still be in use.
constexpr std::chrono::hours untouched = 24h;

struct GcOptions {
  std::optional<std::chrono::seconds> older_than;
  std::optional<Mebibytes> max_size;
  bool yes = false;
  bool dry_run = false;
  bool reports = false;  // those of acceptances, in place of runs
  std::optional<std::chrono::seconds> keep;
};

monitor::KeepRules rules_of(const GcOptions& options) {
  monitor::KeepRules rules;
  if (options.older_than) rules.older_than = *options.older_than;
  if (options.max_size) rules.most_bytes = options.max_size->count * 1'048'576;
  if (!rules.older_than && !rules.most_bytes) rules.older_than = default_age;
  return rules;
}

std::string in_words(std::int64_t bytes) {
  constexpr std::array units = {"B", "K", "M", "G", "T", "P"};
  double amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < units.size(); ++unit) amount /= 1024;
  return fmt::format("{:.{}f}{}", amount, amount < 10 && unit > 0 ? 1 : 0, units[unit]);
}

// A run that continues from another run's checkpoints names that run in its record or its scripts. The run must not be
// in the index.
std::string texts_of(const monitor::ListedRun& run) {
  std::string text = os::read_file(run.folder.file("run.json")).value_or("");
  text += os::read_file(run.folder.file("request.json")).value_or("");
  for (const auto& candidate : run.record->candidates) {
    text += os::read_file(run.folder.file(fmt::format("candidates/{}/script.sh", candidate.number))).value_or("");
  }
  return text;
}

// A run created since the first check may continue this run's checkpoint.
bool is_named_by_open_run(const Settings& settings, const std::string& id) {
  const auto known = monitor::runs_in(settings.runs_folder());
  return std::any_of(known.begin(), known.end(), [&](const monitor::ListedRun& run) {
    return !run.over && run.id() != id && texts_of(run).find(id) != std::string::npos;
  });
}

/// The runs that have a job in Slurm. Throws Error without Slurm's answer.
std::set<std::string> runs_with_jobs() {
  slurm::Gateway gateway;
  const auto queue = monitor::Lookup(gateway).query();
  if (!queue.answered) {
    throw Error(
        "rv gc removes nothing without Slurm's answer, which shows the runs that still have jobs: " + queue.trouble,
        slurm::advice_for(queue.trouble), ExitCode::slurm);
  }
  std::set<std::string> runs;
  for (const auto& row : queue.rows) {
    // NAME@RUN.CANDIDATE; a name may have an @ of its own.
    const auto at = row.name.rfind('@');
    if (at == std::string::npos || monitor::status_of(row).phase == monitor::Phase::ended) continue;
    const auto id = std::string_view(row.name).substr(at + 1);
    runs.emplace(id.substr(0, id.find('.')));
  }
  return runs;
}

/// Looks into the folder of a run in the index, once: little changes there any more.
monitor::EndedRun measured(const monitor::ListedRun& run) {
  auto ended = *run.ended;
  ended.bytes = monitor::bytes_below(run.folder.path());
  ended.has_report = std::filesystem::exists(run.folder.file("accept"));
  return ended;
}

/// Adds what an earlier rv gc has not measured to the index.
void measure(std::vector<monitor::ListedRun>& runs, const std::string& home) {
  std::vector<monitor::ListedRun*> unknown;
  for (auto& run : runs) {
    if (run.ended && !run.ended->bytes) unknown.push_back(&run);
  }
  if (unknown.empty()) return;
  auto index = monitor::EndedRuns::read(home);
  for (auto* run : unknown) {
    index.put(measured(*run));
    run->ended = index.find(run->id());
  }
  index.save();
}

std::vector<monitor::StoredRun> stored_runs(const Settings& settings, const monitor::RunList& list,
                                            const std::set<std::string>& with_jobs) {
  std::vector<monitor::StoredRun> stored;
  std::map<std::string, std::string> open_texts;
  for (const auto& run : list.runs) {
    if (!run.ended && !monitor::is_run_folder(settings.runs_folder(), run.id())) continue;
    const monitor::StoredRun one{
        .id = run.id(),
        .name = run.name,
        .bytes = run.ended ? run.ended->bytes.value_or(0) : monitor::bytes_below(run.folder.path()),
        .ended = monitor::end_time(run),
        .has_job = with_jobs.contains(run.id()),
        .named_by = ""};
    if (!one.ended) open_texts[one.id] = texts_of(run);
    stored.push_back(one);
  }
  for (auto& run : stored) {
    for (const auto& [id, text] : open_texts) {
      if (id != run.id && text.find(run.id) != std::string::npos) run.named_by = id;
    }
  }
  return stored;
}

struct Cleaned {
  std::vector<std::string> unrecorded;  // runs that are over and have no record of it
  std::vector<monitor::StoredRun> runs;
  std::vector<monitor::Choice> choices;  // what turned out not to go has become a kept one
  std::vector<std::string> leftovers;
  std::vector<std::string> snapshots;
  std::vector<std::string> environments;
};

std::vector<std::string> prune_environments(const Settings& settings, const monitor::RunList& list, bool dry_run) {
  // A run that can't be read may have any of them.
  if (list.unreadable > 0) return {};
  std::vector<project::EnvironmentUse> uses;
  for (const auto& run : list.runs) {
    auto prefix = run.environment();
    if (prefix.empty()) continue;
    uses.push_back({.prefix = std::move(prefix), .ended = run.over ? monitor::end_time(run) : std::nullopt});
  }
  const project::EnvironmentStore store(settings.scratch);
  std::vector<std::string> removed;
  const auto now = current_time();
  for (const auto& one : project::unneeded(store.all(), uses, now)) {
    if (dry_run || store.remove(one)) removed.push_back(one.folder);
  }
  return removed;
}

std::vector<sync::RemovedRun> removed_runs(const std::vector<monitor::ListedRun>& runs,
                                           const std::vector<monitor::Choice>& choices) {
  std::set<std::string> ids;
  for (const auto& choice : choices) {
    if (choice.remove) ids.insert(choice.id);
  }
  std::vector<sync::RemovedRun> removed;
  for (const auto& run : runs) {
    if (ids.contains(run.id())) removed.push_back({run.id(), run.work_folder()});
  }
  return removed;
}

/// The runs that an earlier rv gc has looked into.
std::set<std::string> measured_runs(const std::vector<monitor::ListedRun>& runs) {
  std::set<std::string> ids;
  for (const auto& run : runs) {
    if (run.ended && run.ended->bytes) ids.insert(run.id());
  }
  return ids;
}

std::int64_t freed(const Cleaned& cleaned) {
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < cleaned.runs.size(); ++i) bytes += cleaned.choices[i].remove ? cleaned.runs[i].bytes : 0;
  return bytes;
}

/// On a terminal more than ten folders are removed only after a question.
void confirm_removal(const Cleaned& cleaned, const GcOptions& options, const Invocation& invocation) {
  constexpr auto most_unasked = 10;
  const auto removed =
      std::count_if(cleaned.choices.begin(), cleaned.choices.end(), [](const auto& choice) { return choice.remove; });
  if (options.dry_run || invocation.json || invocation.hop || removed <= most_unasked) return;
  const auto question = fmt::format("Remove the folders of {} ({}), with their output and checkpoints",
                                    counted(removed, "run"), in_words(freed(cleaned)));
  if (agree(question, options.yes, invocation.terminal)) return;
  throw Error("nothing was removed",
              "rv gc -n lists the folders; rv gc --yes removes them and does not ask for confirmation",
              ExitCode::usage);
}

Cleaned clean(const Invocation& invocation, const GcOptions& options) {
  const auto& settings = invocation.settings;
  const auto rules = rules_of(options);
  auto list = monitor::list_runs(settings.runs_folder());
  auto unrecorded = record_ends(settings, list);
  const auto now = current_time();
  const auto with_jobs = runs_with_jobs();
  const auto looked_into = measured_runs(list.runs);
  measure(list.runs, settings.home);
  Cleaned cleaned;
  cleaned.unrecorded = std::move(unrecorded);
  cleaned.runs = stored_runs(settings, list, with_jobs);
  cleaned.choices = choose_removals(cleaned.runs, rules, now);
  confirm_removal(cleaned, options, invocation);
  cleaned.leftovers = monitor::leftovers(settings.home, untouched, looked_into);
  const auto prune = [&] {
    return sync::prune_snapshots(
        settings, {.dry_run = options.dry_run, .removed_runs = removed_runs(list.runs, cleaned.choices)});
  };
  cleaned.environments = prune_environments(settings, list, options.dry_run);
  if (options.dry_run) {
    cleaned.snapshots = prune();
    return cleaned;
  }
  for (auto& choice : cleaned.choices) {
    const auto is_needed = [&] { return is_named_by_open_run(settings, choice.id); };
    if (!choice.remove || monitor::remove_run(settings.runs_folder(), choice.id, is_needed)) continue;
    choice = {choice.id, false, "another rv or another run needs it"};
  }
  monitor::remove_leftovers(cleaned.leftovers);
  cleaned.snapshots = prune();
  return cleaned;
}

void print_cleaned(const Cleaned& cleaned, bool dry_run) {
  int removed = 0;
  for (std::size_t i = 0; i < cleaned.runs.size(); ++i) {
    if (!cleaned.choices[i].remove) continue;
    ++removed;
    const auto& run = cleaned.runs[i];
    fmt::print("{}  {}  {}  {}\n", run.id, one_line(run.name), in_words(run.bytes), cleaned.choices[i].why);
  }
  for (const auto& path : cleaned.leftovers) fmt::print("{}  left by an rv that was killed\n", path);
  for (const auto& path : cleaned.snapshots) fmt::print("{}  snapshot that no run needs\n", path);
  for (const auto& path : cleaned.environments) fmt::print("{}  environment that no run needs\n", path);
  fmt::print(stderr, "rv: {} {} of {} ({}) and {}\n", dry_run ? "would remove" : "removed", removed,
             counted(static_cast<long long>(cleaned.runs.size()), "run"), in_words(freed(cleaned)),
             counted(static_cast<long long>(cleaned.leftovers.size()), "leftover"));
}

void refuse_unrecorded(const Cleaned& cleaned, const Settings& settings) {
  if (cleaned.unrecorded.empty()) return;
  const auto folder = settings.runs_folder() + "/" + cleaned.unrecorded.front();
  throw Error(fmt::format("kept {}: over, but the end can't be recorded in the folder", listed(cleaned.unrecorded)),
              fmt::format("if the disk is full, remove a file there first, such as a log: ls -S {}/logs", folder));
}

nlohmann::ordered_json cleaned_json(const Cleaned& cleaned, bool dry_run) {
  nlohmann::ordered_json json;
  json["dry_run"] = dry_run;
  json["freed_bytes"] = freed(cleaned);
  json["removed"] = nlohmann::ordered_json::array();
  json["kept"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < cleaned.runs.size(); ++i) {
    const auto& run = cleaned.runs[i];
    json[cleaned.choices[i].remove ? "removed" : "kept"].push_back(
        {{"id", run.id}, {"name", run.name}, {"bytes", run.bytes}, {"why", cleaned.choices[i].why}});
  }
  json["leftovers"] = cleaned.leftovers;
  json["snapshots"] = cleaned.snapshots;
  json["environments"] = cleaned.environments;
  return json;
}

int clean_reports(const GcOptions& options, const Invocation& invocation) {
  const auto now = current_time();
  const auto reports = old_reports(invocation.settings.home, invocation.settings.runs_folder(),
                                   options.keep.value_or(default_keep), now);
  std::vector<std::string> left;
  if (!options.dry_run) left = remove_reports(reports);
  auto removed = nlohmann::ordered_json::array(), kept = removed;
  std::int64_t bytes = 0;
  for (const auto& report : reports) {
    const bool gone = report.remove && !contains(left, report.folder);
    (gone ? removed : kept).push_back({{"folder", report.folder}, {"bytes", report.bytes}});
    if (!gone) continue;
    bytes += report.bytes;
    if (!invocation.json) fmt::print("{}  {}\n", report.folder, in_words(report.bytes));
  }
  if (invocation.json) {
    fmt::print("{}",
               json_text({{"dry_run", options.dry_run}, {"freed_bytes", bytes}, {"removed", removed}, {"kept", kept}}));
  } else {
    fmt::print(stderr, "rv: {} {} of {} ({})\n", options.dry_run ? "would remove" : "removed", removed.size(),
               counted(static_cast<long long>(reports.size()), "report"), in_words(bytes));
  }
  if (left.empty()) return 0;
  throw Error("can't remove " + listed(left), "check that they are yours");
}

void add_gc(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<GcOptions>();
  add_value(command, "--older-than", options->older_than, duration_value,
            "remove runs that ended longer ago than this (default: 30d, without --max-size)")
      .type_name("TIME");
  add_value(command, "--max-size", options->max_size, memory_value,
            "remove the oldest runs until the rest take at most this much")
      .type_name("SIZE");
  const auto reports =
      add_flag(command, "--reports", options->reports, "remove reports of acceptance and stress tests instead of runs");
  add_value(command, "--keep", options->keep, duration_value, "with --reports: keep younger ones (default: 7d)")
      .type_name("TIME")
      .needs(reports);
  reports.excludes("--older-than").excludes("--max-size");
  add_flag(command, "-n,--dry-run", options->dry_run, "only list what would be removed");
  add_flag(command, "-y,--yes", options->yes,
           "don't ask for confirmation before the folders of more than ten runs are removed");
  set_footer(command,
             "A run's output and checkpoints are removed with it. rv keeps every run that may not be over.\n\n"
             "Examples:\n  rv gc --dry-run\n  rv gc --older-than 7d --max-size 10G\n  rv gc --reports --keep 7d");
  set_callback(command, [=, &invocation, &action] {
    action = [=, &invocation] {
      if (options->reports) return clean_reports(*options, invocation);
      const auto cleaned = clean(invocation, *options);
      if (invocation.json) {
        fmt::print("{}", json_text(cleaned_json(cleaned, options->dry_run)));
      } else {
        print_cleaned(cleaned, options->dry_run);
      }
      refuse_unrecorded(cleaned, invocation.settings);
      return 0;
    };
  });
}

}  // namespace

extern const Command gc_command{
    .name = "gc",
    .summary = "Remove the folders of old runs",
    .group = groups::other,
    .add = add_gc,
};

}  // namespace rv::cli
