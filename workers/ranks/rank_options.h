#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>

#include "workers/ranks/run_ranks.h"

namespace rv::workers {

/// The options that every worker with ranks takes.
struct RankOptions {
  std::optional<int> local_ranks, port;
  std::vector<std::string> hosts;
  std::string host, token_file, device = "auto", inject;
  double deadline = 60, silence = 10;
  std::filesystem::path report_dir;
  bool json = false, allow_skip = false, quick = false;
};

void describe(CLI::App& app, RankOptions& options);
Json to_json(const RankOptions& options);

/// From options and environment. Throws std::invalid_argument, which is wrong usage. `gpus` counts them; see
/// RankSources.
Launch make_launch(const RankOptions& options, const std::function<int()>& gpus);

/// Counts this process's GPUs in a child: CUDA must not start in a process that forks. `reason` and `detail` as in
/// Gpus.
struct GpuCount {
  int count = 0;
  std::string reason, detail;
};
GpuCount count_gpus();

/// A worker with ranks from its parsed options to its exit code: decides between GPUs and CPU, starts the ranks, and
/// reports. `work` gets the rank and whether it computes on a GPU.
int run_worker(const char* name, const RankOptions& options, const std::function<void(Peer& peer, bool on_gpu)>& work);

}  // namespace rv::workers
