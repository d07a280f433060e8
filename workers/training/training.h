#pragma once

#include <filesystem>
#include <functional>

#include "workers/collectives/communicator.h"
#include "workers/training/mlp.h"

namespace rv::workers {

struct TrainRequest {
  int epochs = 3;
  int batch = 256;               ///< samples of one step over all ranks together
  std::filesystem::path folder;  ///< for checkpoints; empty: none are written
  std::int64_t save_every = 0;   ///< save after every N steps; 0: only at the end and on a warning
  double step_seconds = 0;       ///< minimum time of a step, to make a short run longer
};

/// The samples that rank `rank` of `world` takes of a step's `count`. Together the ranks cover all samples without
/// overlap.
struct SampleRange {
  int begin = 0, end = 0;
};
SampleRange samples_of_rank(int count, int rank, int world);

/// Trains on all ranks, from the checkpoint if there is one, and reports on rank 0. The mean loss of the last epoch
/// over that of the first must be below 0.7 (one rank) or 0.8 (several), all ranks must have the same bits, and a rank
/// that is slow before the gradients are summed is named. Every rank's gradient is scaled by the whole batch, so that
/// any number of ranks trains the same network. `warned` is called in every step; if it returns true on one rank, all
/// save and end after the same step. Returns false if a warning ended the training.
bool run_training(Peer& peer, Communicator& communicator, Mlp& mlp, const TrainRequest& request,
                  const std::function<bool()>& warned);

}  // namespace rv::workers
