#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workers/memory/memory_taken.h"
#include "workers/training/step_shares.h"
#include "workers/training/throughput.h"

namespace rv::workers {

/// The results of one rank of a timed training.
struct RankResult {
  bool stopped = false;  ///< ended by a warning
  std::int64_t step = 0, total = 0, resumed_at = 0, timed_steps = 0;
  double timed_seconds = 0;
  std::vector<double> steps;               ///< seconds of each timed step
  std::vector<double> repeats;             ///< mean seconds of a step in each repeat
  std::vector<float> losses, accuracies;   ///< of all steps
  std::optional<StepTimes> times;          ///< if the steps were also timed with parts left out
  double alone_seconds = 0;                ///< then the seconds of the median step without the other ranks
  std::optional<double> one_rank_seconds;  ///< seconds of a step of one rank by itself
  MemoryTaken memory;                      ///< peak memory on this rank's GPU, or of the host
  Json load;                               ///< load of this rank's GPU
  Json details;
  Json reader;          ///< figures of a source that reads during the training
  std::string weights;  ///< a checksum of parameters and momentum
};

/// Gathers the results of all ranks; rank 0 reports the figures and writes the results. The suite of the figures is
/// `model`; figures of each rank without waiting for the others have the suite `alone`.
void report_throughput(Peer& peer, const Communicator& communicator, bool on_gpu, const ThroughputRequest& request,
                       const Network& network, const RankResult& own);

/// A note for the user about a learner's details: "2 of 300 steps were skipped, …", which happens in fp16 if gradients
/// overflow; or that attention is slower than it could be, and why. Empty: no note.
std::string note_of(const Json& details, std::int64_t steps);

}  // namespace rv::workers
