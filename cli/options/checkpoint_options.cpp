#include "cli/options/checkpoint_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.h"
#include "base/walltime.h"
#include "base/wrong_value.h"
#include "cli/options/command_option.h"
#include "cli/options/option_values.h"
#include "cli/options/value_option.h"
#include "monitor/run/resolve_run.h"
#include "monitor/run/run_facts.h"
#include "templates/segment_times.h"

namespace rv::cli {
namespace {

using std::chrono::seconds;

// Time at the end of a segment for records, the next submission, and Slurm's own slack.
constexpr seconds margin{60};
// Signals that an application can catch and that no other program sends to a batch job for another reason.
constexpr std::array<std::string_view, 8> signals{"USR1", "USR2", "INT", "HUP", "TERM", "ALRM", "URG", "CONT"};

std::string signal_value(const std::string& option, const std::string& text) {
  std::string name = text;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  if (name.starts_with("SIG")) name.erase(0, 3);
  if (std::find(signals.begin(), signals.end(), name) == signals.end()) {
    throw wrong_value(option, text, "USR1, USR2, INT, HUP, TERM, ALRM, URG or CONT", "write --signal USR1");
  }
  return name;
}

std::optional<seconds> segment_value(const std::string& option, const std::string& text) {
  return duration_or("auto", option, text);
}

void refuse_without_checkpoint(const CheckpointOptions& options) {
  if (options.companion.empty()) return;
  throw Error(fmt::format("{} needs --checkpoint", options.companion),
              options.companion == "--time-min"
                  ? "add --checkpoint if the command saves its state, or request a shorter --time"
                  : "add --checkpoint to run the command in segments",
              ExitCode::usage);
}

/// Notes the option as one that needs --checkpoint.
template <class Read>
auto noted(CheckpointOptions& options, Read read) {
  return [&options, read](const std::string& option, const std::string& text) {
    options.companion = option;
    return read(option, text);
  };
}

}  // namespace

std::shared_ptr<CheckpointOptions> add_checkpoint_options(CLI::App& command) {
  auto o = std::make_shared<CheckpointOptions>();
  const auto group = "Checkpoint and restart";
  add_flag(command, "--checkpoint", o->wanted,
           "run in segments that fit backfill windows; CMD saves to RV_CHECKPOINT_DIR")
      .group(group);
  add_value(command, "--segment-time", o->segment, noted(*o, segment_value),
            "length of a segment (default: auto, the length of --window, else segment in the settings)")
      .type_name("TIME")
      .group(group);
  add_value(command, "--time-min", o->chain.shortest, noted(*o, duration_value),
            "let Slurm shorten a segment to this length to fit a gap")
      .type_name("TIME")
      .group(group);
  add_value(command, "--warn", o->chain.warning, noted(*o, duration_value),
            "time to save before a segment ends (default: a sixth of the segment, at most 10m)")
      .type_name("TIME")
      .group(group);
  add_value(command, "--signal", o->chain.signal, noted(*o, signal_value),
            "signal that warns the command's processes (default: USR1)")
      .type_name("NAME")
      .group(group);
  add_value(command, "--max-crashes", o->chain.max_crashes, noted(*o, count_from(1, 1000)),
            "give up after N failures in a row without progress (default: 3)")
      .type_name("N")
      .group(group);
  const auto run = [](const std::string&, const std::string& text) { return text; };
  add_value(command, "--checkpoint-from", o->chain.from, noted(*o, run), "start from the checkpoint of another run")
      .type_name("RUN")
      .group(group);
  return o;
}

void ask_for_segments(planner::Request& request, const CheckpointOptions& options, const Settings& settings) {
  if (!options.wanted) return refuse_without_checkpoint(options);
  request.checkpoint_only = true;
  if (options.segment) {
    if (options.chain.shortest >= *options.segment) {
      throw Error(fmt::format("--time-min {} must be less than --segment-time {}",
                              format_duration(options.chain.shortest), format_duration(*options.segment)),
                  "--time-min is the shortest segment that you accept", ExitCode::usage);
    }
    request.windows = {{"*", *options.segment}};
  } else if (!request.windows.contains("*")) {
    request.windows["*"] = settings.segment;
  }
}

void check_segments(const templates::Chain& chain, const planner::Strategy& strategy) {
  const auto times = templates::segment_times(chain, strategy.time_limit);
  if (times.least >= 2 * times.warning + 2 * margin) return;
  // Without --warn the warning is a part of the segment: two sixths and the margins must fit into it.
  const seconds enough =
      std::chrono::ceil<std::chrono::minutes>(chain.warning ? 2 * *chain.warning + 2 * margin : 3 * margin);
  const char* option = times.shortest > seconds(0) ? "--time-min" : "--segment-time";
  throw Error(
      fmt::format("a segment of {} is too short: it needs {} for saving, {} for ending, and at least as long for work",
                  format_duration(times.least), format_duration(times.warning), format_duration(margin)),
      strategy.work_time < enough
          ? fmt::format("a segment takes at least {}: increase --time, or remove --checkpoint", format_duration(enough))
          : fmt::format("use {} {} or more{}", option, typed_duration(enough),
                        chain.warning ? ", or a shorter warning (--warn)" : ""),
      ExitCode::usage);
}

monitor::RunFolder checkpoint_source(const std::string& name, const Settings& settings) {
  auto run = monitor::resolve_run(monitor::runs_in(settings.runs_folder()), name);
  monitor::say_what_was_taken(name, run.record);
  const auto facts = monitor::read_facts(run.folder);
  if (!facts.outcome && !facts.exit) {
    throw Error(fmt::format("--checkpoint-from: run {} is not over", run.record.id),
                fmt::format("wait for its end, or end it with rv stop {}", run.record.id), ExitCode::usage);
  }
  std::error_code trouble;
  if (std::filesystem::is_empty(run.folder.file("checkpoint"), trouble) || trouble) {
    throw Error(fmt::format("--checkpoint-from: run {} has saved nothing", run.record.id),
                "its command has to save its state to RV_CHECKPOINT_DIR", ExitCode::usage);
  }
  return run.folder;
}

}  // namespace rv::cli
