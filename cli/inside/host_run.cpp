#include "cli/inside/host_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "monitor/race/watch_runs.h"
#include "monitor/run/resolve_run.h"
#include "monitor/run/run_facts.h"
#include "slurm/gateway.h"

namespace rv::cli {
namespace {

/// Errors of a run that can't have commands of others in it.
void check_host(const monitor::KnownRun& run, const monitor::RunView& view, bool overlap) {
  const auto& id = run.record.id;
  const auto& job = run.record.job;
  if (job.inside) {
    throw Error(fmt::format("run {} is itself a command inside run {}", id, job.inside->run),
                fmt::format("write --in {}", job.inside->run), ExitCode::usage);
  }
  if (job.array || job.chain) {
    throw Error(fmt::format("run {} is {}, and --in needs a run with one job", id,
                            job.array ? "an array" : "a chain of segments"),
                "hold GPUs with rv up --detach, and name that run", ExitCode::usage);
  }
  if (monitor::is_final(view.state)) {
    throw Error(fmt::format("run {} is over and holds nothing: {}", id, one_line(view.detail)),
                "rv up --detach holds GPUs; rv ps lists the runs that are not over", ExitCode::no_such_run);
  }
  const bool holds = view.state == monitor::RunState::holding || view.state == monitor::RunState::running;
  if (!holds || winner_of(view) == nullptr) {
    throw Error(fmt::format("run {} has no GPUs yet: it is {}", id, to_string(view.state)),
                fmt::format("start the command once rv ps shows that run {} has started", id), ExitCode::no_such_run);
  }
  if (!job.hold && !overlap) {
    throw Error(fmt::format("run {} runs a command of its own on its GPUs", id), "add --overlap to share them with it",
                ExitCode::usage);
  }
}

/// Other commands in the run that are not over, and have their GPUs to themselves.
void add_use(HostRun& host, const std::vector<monitor::ListedRun>& runs) {
  auto others = monitor::open_runs(runs);
  std::erase_if(others, [&](const auto& run) {
    const auto& inside = run.record.job.inside;
    return !inside || inside->run != host.record.id || inside->overlap;
  });
  if (others.empty()) return;
  const auto seen = monitor::poll_runs(others);
  for (std::size_t i = 0; i < others.size(); ++i) {
    const int gpus = others[i].record.candidates.front().gpus;
    if (monitor::is_final(seen.views[i].state) || gpus == 0) continue;
    host.gpus_in_use += gpus;
    host.used_by.push_back(others[i].record.id);
  }
}

}  // namespace

HostRun find_host(const InsideOptions& inside, const Settings& settings) {
  const auto runs = monitor::runs_in(settings.runs_folder());
  const auto run = monitor::resolve_run(runs, *inside.run);
  monitor::say_what_was_taken(*inside.run, run.record);
  const auto view = monitor::poll_runs({run}).views.front();
  check_host(run, view, inside.overlap);
  const auto facts = monitor::read_facts(run.folder);
  const auto& winner = winner_of(view)->candidate;
  HostRun host{.record = run.record,
               .winner = winner,
               .job = {facts.claim->job, facts.job_name(winner)},
               .gpus_per_node = winner.gpus / std::max(1, winner.nodes),
               .used_by = {}};
  slurm::Gateway gateway;
  const auto job = gateway.record(host.job.id);
  if (!job || job.value->empty()) {
    throw Error(fmt::format("Slurm does not report the job of run {}: {}", run.record.id,
                            job ? "it has no job " + slurm::to_string(host.job.id) : job.trouble),
                "try again", ExitCode::slurm);
  }
  host.cpus_per_node = std::max(1, job.value->front().cpus / std::max(1, winner.nodes));
  add_use(host, runs);
  return host;
}

Share share_of(const HostRun& host, const InsideOptions& inside, std::optional<int> gpus, std::optional<int> cpus) {
  const auto& id = host.record.id;
  const int most = host.gpus_per_node;
  const int total = most * std::max(1, host.winner.nodes);
  const int free = inside.overlap ? total : total - host.gpus_in_use;
  if (!gpus && total > 0 && free <= 0) {
    throw Error(fmt::format("other commands use all {} of run {}: {}", counted(total, "GPU"), id, listed(host.used_by)),
                "add -g N to wait until N of them are free, or --overlap to share them", ExitCode::usage);
  }
  Share share{.gpus = gpus.value_or(std::min(most, free))};
  if (share.gpus > most) {
    const bool several = host.winner.nodes > 1;
    throw Error(fmt::format("-g {}: run {} has {}{}", share.gpus, id, counted(most, "GPU"),
                            several ? " on each node, and a command inside it runs on one node" : ""),
                most > 0 ? fmt::format("write -g {} or less", most) : "write -g 0", ExitCode::usage);
  }
  const int proportional = most > 0 ? host.cpus_per_node * share.gpus / most : 1;
  share.cpus = cpus.value_or(inside.exact ? 1 : std::max(1, proportional));
  if (share.cpus > host.cpus_per_node) {
    throw Error(fmt::format("-c {}: run {} has {} on a node", share.cpus, id, counted(host.cpus_per_node, "CPU")),
                fmt::format("write -c {} or less", host.cpus_per_node), ExitCode::usage);
  }
  return share;
}

}  // namespace rv::cli
