#pragma once

#include <CLI/CLI.hpp>

#include "workers/ranks/run_ranks.h"
#include "workers/report/report_file.h"

namespace rv::workers {

/// The options of every worker with ranks.
struct RankOptions : ReportOptions {
  std::optional<int> local_ranks, port;
  std::vector<std::string> hosts;
  std::string host, token_file, device = "auto", inject;
  double deadline = 60, silence = 10;
  bool quick = false;
};

void describe(CLI::App& app, RankOptions& options);
Json to_json(const RankOptions& options);

/// Determines the ranks from options and environment. Throws std::invalid_argument for wrong usage. `gpus` counts the
/// GPUs, see RankSources.
Launch make_launch(const RankOptions& options, const std::function<int()>& gpus);

/// Runs a worker with ranks, from the parsed options to the exit code: selects GPUs or CPU, starts the ranks, and
/// reports. `work` is called on each rank, with whether it computes on a GPU.
int run_worker(const char* name, const RankOptions& options, const std::function<void(Peer& peer, bool on_gpu)>& work);

}  // namespace rv::workers
