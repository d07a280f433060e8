// What up and run have in common: plan, or show the plan, or start the race.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/os/terminal.h"
#include "cli/launch/planning.h"
#include "cli/launch/start_run.h"
#include "cli/options/invocation.h"
#include "cli/options/request_options.h"
#include "monitor/follow/output_writer.h"

namespace rv::cli {

struct LaunchOptions {
  std::shared_ptr<RequestOptions> request;
  bool dry_run = false;
  std::vector<std::string> outputs;
  int processes_per_node = 1;
  bool requeue = false;
  bool no_sync = false;
  bool no_deps = false;
  std::string interpreter;  // --interpreter, as typed
  bool as_typed = false;    // the command's words stood behind "--"
  bool separate_stderr = false;
  monitor::Bars bars = monitor::Bars::live;
  std::string notify;
  ArrayOption array;  // where the command has it; without elements: no array
  std::optional<AfterOption> after;
};

/// Adds the request's options and --dry-run, --output, --procs-per-node, --requeue, --notify, --after, and
/// --no-sync, which the rv on the laptop acts on.
std::shared_ptr<LaunchOptions> add_launch_options(CLI::App& command);

/// The user's words as an order; no words: hold. Throws Error(usage) for a script that is not there, and for --notify
/// without anybody to tell.
WorkOrder order_for(const LaunchOptions& options, const std::vector<std::string>& words, const Settings& settings);

/// Adds --separate-stderr and --raw, for a command whose output can be followed.
void add_output_options(CLI::App& command, LaunchOptions& options);

/// Whether the command's stderr goes where its stdout goes, which keeps the order of writing: unless they are to be
/// apart, or are apart here while `streamed` brings them.
bool joins_output(const LaunchOptions& options, bool streamed, const os::Terminal& here);

struct Launched {
  std::optional<monitor::RunFolder> folder;  // nothing: --dry-run, or no strategy fits
  int exit_code = 0;                         // then this is the answer
};

/// Plans; shows the plan and ends for --dry-run, shows what was rejected when nothing fits, else starts the race, or
/// finds the one that another connection has started. From then on Ctrl-C is caught, for whoever follows the run.
/// `known`: the cluster, where it has been read already.
Launched launch(const LaunchOptions& options, const WorkOrder& order, const Invocation& invocation,
                std::optional<KnownCluster> known = std::nullopt);

}  // namespace rv::cli
