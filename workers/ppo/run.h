#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "workers/collectives/communicator.h"
#include "workers/ppo/learner.h"
#include "workers/ppo/memory_check.h"

namespace rv::ppo {

struct RunRequest {
  std::string task = "rough";  ///< part of the checkpoint's name
  int environments = 4096;     ///< of each rank
  int iterations = 10;         ///< in total, including those before a restart
  std::uint64_t seed = 1;
  std::string precision = "tf32";
  /// commanded speed ahead, m/s, of all robots; 0: each draws its own command. May change after a checkpoint
  double speed = 0;
  Settings settings;
  std::filesystem::path folder;  ///< folder of checkpoints; empty: none
  int save_every = 0;            ///< iterations; 0: at the end and on a warning
  std::filesystem::path results;
  bool log = true;  ///< whether RSL-RL's lines go to stdout, else to stderr
};

/// The environments of the task. `make` creates that many; the first one has the number `first` over all ranks.
struct TaskSource {
  std::function<std::unique_ptr<envs::Environments>(int environments, int first)> make;
  std::function<std::size_t(int environments)> bytes;  ///< memory that they will use
  std::function<envs::Sizes(int environments)> sizes;
};

struct RunResult {
  bool finished = false;                    ///< false: ended by a warning or a refusal
  std::optional<workers::Refusal> refusal;  ///< the same on all ranks
};

/// Trains on this rank's device, together with the other ranks; rank 0 logs, reports and writes the results. `warned`
/// is called once per iteration. Throws std::runtime_error.
RunResult run_ppo(workers::Peer& peer, workers::Communicator& communicator, bool on_gpu, const TaskSource& task,
                  const RunRequest& request, const std::function<bool()>& warned);

}  // namespace rv::ppo
