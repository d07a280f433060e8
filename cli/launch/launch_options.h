// What up and run have in common: plan, or show the plan, or start the race. rv plan and rv render, which start
// nothing, use the same options.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/os/terminal.h"
#include "cli/batch/batch_call.h"
#include "cli/code/snapshot_for_run.h"
#include "cli/launch/planning.h"
#include "cli/launch/start_run.h"
#include "cli/options/container_options.h"
#include "cli/options/invocation.h"
#include "cli/options/project_options.h"
#include "cli/options/request_options.h"
#include "cli/restart/retry_options.h"
#include "cli/restart/stall_options.h"
#include "monitor/follow/output_writer.h"

namespace rv::cli {

struct LaunchOptions {
  std::shared_ptr<RequestOptions> request;
  templates::JobSpec job;  // what options say of the job
  bool dry_run = false;
  bool no_sync = false;
  bool snapshot = false;
  ProjectOptions project;
  std::string interpreter;         // --interpreter, as typed
  std::optional<BatchCall> batch;  // the command is a batch script, whose options are among these
  bool show_mapping = false;
  ContainerOptions container;
  RetryOptions retries;
  StallOptions stall;
  std::optional<bool> preflight;  // --preflight, --no-preflight
  bool separate_stderr = false;
  monitor::Bars bars = monitor::Bars::live;
  std::string notify;
};

/// Adds the request's options, and those that change the script of every run: --output, --retries, --stall,
/// --preflight, --env, --sbatch and others.
std::shared_ptr<LaunchOptions> add_script_options(CLI::App& command);

/// Adds those, and --dry-run, --probe, and --no-sync, which the rv on the laptop acts on.
std::shared_ptr<LaunchOptions> add_launch_options(CLI::App& command);

/// Adds --snapshot.
void add_snapshot_option(CLI::App& command, LaunchOptions& options);

/// Goes to a snapshot of the project, if the options ask for one and more than a preview is wanted. To be called before
/// the command is looked up.
SnapshotForRun snapshot_for(const LaunchOptions& options, const Invocation& invocation);

/// Adds --show-mapping.
void add_mapping_option(CLI::App& command, LaunchOptions& options);

/// Adds --array.
void add_array_option(CLI::App& command, LaunchOptions& options);

/// Adds the options of rv run that change the script, for rv plan and rv render.
std::shared_ptr<LaunchOptions> add_options_of_run(CLI::App& command);

/// The user's words as an order; no words: hold. Throws Error(usage) for a script or an image that is not there, and
/// for --notify without a target.
WorkOrder order_for(const LaunchOptions& options, const std::vector<std::string>& words, const Invocation& invocation);

/// Adds --separate-stderr.
void add_stderr_option(CLI::App& command, LaunchOptions& options);

/// Adds --separate-stderr and --raw, for a command whose output can be followed.
void add_output_options(CLI::App& command, LaunchOptions& options);
/// The progress bars that a call with these options shows.
monitor::Bars bars_of(const CLI::App& called);

using AddLaunch = std::function<std::shared_ptr<LaunchOptions>(CLI::App&)>;

/// How a command takes a batch script.
struct BatchUse {
  std::string command;   // its name, for messages
  bool follows = false;  // it has --follow
  bool arrays = true;    // it has --array
};

/// The options with those of the #SBATCH lines, where the user's command is a batch script; else `options` themselves.
/// `add` adds the command's options, `given` are those on its command line (cli/options/option_record.h).
std::shared_ptr<LaunchOptions> with_batch(const std::shared_ptr<LaunchOptions>& options, const AddLaunch& add,
                                          const std::vector<std::string>& given, const BatchUse& use,
                                          const Invocation& invocation);

/// Whether stderr is written to stdout's file, which keeps the order of writing. It is not with --separate-stderr or a
/// script's --error, and if rv shows the output (`streamed`) and its own stdout and stderr differ.
bool joins_output(const LaunchOptions& options, bool streamed, const os::Terminal& here);

/// Prints what rv starts in place of the words that the user typed, unless --json.
void say_what_runs(const WorkOrder& order, const Invocation& invocation);

struct Launched {
  std::optional<monitor::RunFolder> folder;  // nothing: --dry-run, or no strategy fits
  int exit_code = 0;                         // then this is the answer
};

/// Plans; shows the plan and ends for --dry-run, shows what was rejected when nothing fits, else starts the race.
/// From then on Ctrl-C is caught, for the code that follows the run.
/// `known`: the cluster, where it has been read already.
Launched launch(const LaunchOptions& options, const WorkOrder& order, const Invocation& invocation,
                std::optional<KnownCluster> known = std::nullopt);

}  // namespace rv::cli
