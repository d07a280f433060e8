#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "workers/collectives/communicator.h"
#include "workers/ppo/learner.h"
#include "workers/ppo/room.h"

namespace rv::ppo {

struct RunRequest {
  std::string task = "rough";  ///< a word of the checkpoint's name of what is learnt
  int environments = 4096;     ///< of each rank
  int iterations = 10;         ///< in all, those of a checkpoint included
  std::uint64_t seed = 1;
  std::string precision = "tf32";
  double speed = 0;  ///< m/s that all are told to walk ahead at; 0: what each draws. May change behind a checkpoint
  Settings settings;
  std::filesystem::path folder;  ///< of checkpoints; empty: none
  int save_every = 0;            ///< iterations; 0: at the end and on a warning
  std::filesystem::path results;
  bool log = true;  ///< RSL-RL's lines on stdout, else on stderr
};

/// What there is to learn in: this many environments, of which the first has that number over all ranks.
struct Task {
  std::function<std::unique_ptr<envs::Environments>(int environments, int first)> make;
  std::function<std::size_t(int environments)> bytes;  ///< that they will hold
  std::function<envs::Sizes(int environments)> sizes;
};

struct Ended {
  bool finished = false;                    ///< false: a warning ended it, or a refusal
  std::optional<workers::Refusal> refusal;  ///< the same on all ranks
};

/// Learns on this rank's device, together with the others; rank 0 logs, reports and writes the results. `warned` is
/// asked once an iteration. Throws std::runtime_error.
Ended run_ppo(workers::Peer& peer, workers::Communicator& communicator, bool on_gpu, const Task& task,
              const RunRequest& request, const std::function<bool()>& warned);

}  // namespace rv::ppo
