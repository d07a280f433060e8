// rv accept: tests nodes and their GPUs, and reports which are faulty and why.

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "cli/acceptance/accept_load.h"
#include "cli/acceptance/write_verdict.h"
#include "cli/commands/commands.h"
#include "cli/kubernetes/check_nodes.h"
#include "cli/kubernetes/clean_up.h"
#include "cli/options/accept_options.h"
#include "cli/options/command_option.h"
#include "cli/options/given.h"
#include "cli/options/hosts_options.h"
#include "monitor/run/resolve_run.h"

namespace rv::cli {
namespace {

constexpr auto footer =
    "Every suite runs on each node. All except memory and train also run on all nodes together, or\n"
    "compare the nodes. The models (resnet18, …) time the training of real networks. io measures file\n"
    "systems and the network between nodes, and uses no GPU, but Slurm gives it one on each node. Every\n"
    "figure is compared with its baseline and with its peers. A finding names the GPU and what to do.\n"
    "Exit codes: 0 pass, 1 fail, 3 something could not be measured, 77 something was skipped.\n"
    "\n"
    "Examples:\n"
    "  rv accept                                   test all GPUs of a node\n"
    "  rv accept --nodes 4 --gpus-per-node 8 --type h100 --full\n"
    "  rv accept --nodelist n[01-16] --report-dir monday\n"
    "  rv accept --local                           test this host, without Slurm\n"
    "  rv accept --local --tier prolog             only readings, for a prolog or a health check\n"
    "  rv accept --hosts hosts.txt --slots 8       test these hosts over ssh\n"
    "  rv accept --fabric ib --nodes 2             only over InfiniBand, proven by NCCL's log\n"
    "  rv accept --nodes 2 --suite resnet50,transformer\n"
    "                                              time real networks on two nodes\n"
    "  rv accept --nodes 4 --suite io              test file systems and network\n"
    "  rv accept --history n07                     show the figures of its GPUs over time\n"
    "  rv accept --save-baseline healthy.yaml; rv accept --nodelist n07 --baseline healthy.yaml\n"
    "  rv accept --kubernetes --nodes 4 --image IMAGE | kubectl apply -f -    then --kubernetes --collect NAME";

int judge_again(const AcceptOptions& options, const Invocation& invocation) {
  std::error_code fault;
  if (std::filesystem::is_regular_file(options.judge + "/order.json", fault)) {
    const auto name = std::filesystem::path(options.judge).lexically_normal();
    return write_verdict(options.judge, name.has_filename() ? name.filename() : name.parent_path().filename(), "",
                         options, invocation);
  }
  if (std::filesystem::is_regular_file(options.judge, fault)) {
    throw Error(fmt::format("--judge {} is a file: expected a run or the folder of an acceptance test", options.judge),
                "for the saved logs of pods: rv accept --kubernetes --judge FILE", ExitCode::usage);
  }
  const auto run = monitor::resolve_run(monitor::runs_in(invocation.settings.runs_folder()), options.judge);
  return write_verdict(run.folder.file("accept"), run.folder.id(), run.over ? "" : "the run is not over", options,
                       invocation);
}

/// What rv accept --kubernetes does besides the load: --check and --cleanup. Returns the exit code; nothing if neither
/// was given. Throws Error(usage) for options that can't be combined.
std::optional<int> kubernetes_upkeep(const AcceptOptions& options, const Invocation& invocation) {
  const auto& asked = *options.kubernetes;
  if (int{asked.check} + int{asked.cleanup} + int{!asked.collect.empty()} + int{!options.judge.empty()} > 1) {
    throw Error("--check, --cleanup, --collect and --judge can't be combined", "keep only one of them",
                ExitCode::usage);
  }
  if (asked.older_than && !asked.cleanup) {
    throw Error("--older-than needs --cleanup", "add --cleanup; --ttl is how long a new job stays", ExitCode::usage);
  }
  if (!asked.from.empty() && !asked.check) {
    throw Error("--from needs --check", "add --check; saved logs are judged by --judge FILE", ExitCode::usage);
  }
  if (asked.check) return check_nodes(options, invocation);
  if (asked.cleanup) return clean_up(options, invocation);
  return std::nullopt;
}

/// --local means the machine on which rv is called, hosts are reached over ssh from here, and kubectl runs here.
bool belongs_here(const CLI::App& called) {
  return given(called, "--local") || given(called, "--hosts") || given(called, "--kubernetes") ||
         on_saved_cluster(called);
}

/// Whether this ends with a verdict, be it later; else no figure is compared and no report is written.
bool judges(const AcceptOptions& options) {
  const auto& asked = *options.kubernetes;
  return !options.history && (!asked.wanted || !asked.collect.empty() || !options.judge.empty());
}

void add_accept(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = add_accept_options(command);
  hide_options(command, {"--single-node", "--window"});
  set_footer(command, footer);
  set_callback(command, [=, &invocation, &action] {
    action = [=, &invocation] {
      if (judges(*options)) check_files(*options, invocation.settings);
      if (const auto code = kubernetes_upkeep(*options, invocation)) return *code;
      if (options->history) return show_history(*options->history, invocation);
      if (!options->judge.empty() && !options->kubernetes->wanted) return judge_again(*options, invocation);
      check_slots(options->hosts, options->slots);
      AcceptLoad load(*options, invocation);
      return run_load(load);
    };
  });
}

}  // namespace

extern const Command accept_command{
    .name = "accept",
    .summary = "Test nodes and GPUs, and name faulty ones",
    .group = groups::test_gpus,
    .common = {"nodes", "gpus-per-node", "type", "nodelist", "partition", "account", "full", "suite", "local", "hosts",
               "baseline", "report-dir", "detach", "dry-run"},
    .stays_here = belongs_here,
    .when_lost = run_continues,
    .add = add_accept,
};

}  // namespace rv::cli
