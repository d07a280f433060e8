#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workers/memory/memory_taken.h"
#include "workers/training/step_shares.h"
#include "workers/training/throughput.h"

namespace rv::workers {

/// What one rank has to tell of a training that was timed.
struct RankResult {
  bool stopped = false;  ///< by a warning
  std::int64_t step = 0, total = 0, resumed_at = 0, timed_steps = 0;
  double timed_seconds = 0;
  std::vector<double> steps;               ///< seconds of each timed one
  std::vector<double> repeats;             ///< mean seconds of a step, by repeat
  std::vector<float> losses, accuracies;   ///< of all steps
  std::optional<StepTimes> times;          ///< where what was left out was timed
  double alone_seconds = 0;                ///< the median step's without the other ranks, in that case
  std::optional<double> one_rank_seconds;  ///< a step's, of one rank alone
  MemoryTaken memory;                      ///< at its most: of this rank's GPU, or of the host's
  Json load;                               ///< of this rank's GPU
  Json details;
  Json reader;          ///< of what reads while training goes on
  std::string weights;  ///< a checksum of parameters and momentum
};

/// All ranks gather; rank 0 reports the figures and writes the results. The figures are of suite `model`, those of each
/// rank without waiting for the others of suite `alone`.
void report_throughput(Peer& peer, const Communicator& communicator, bool on_gpu, const ThroughputRequest& request,
                       const Network& network, const RankResult& own);

/// What a learner's details say that its figures do not: "2 of 300 steps were skipped, …", which fp16 does where its
/// gradients overflow; that attention takes longer than it could, and why. Empty: nothing.
std::string note_of(const Json& details, std::int64_t steps);

}  // namespace rv::workers
