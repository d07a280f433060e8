#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "workers/collectives/communicator.h"
#include "workers/ranks/refusal.h"
#include "workers/training/learning/learner.h"

namespace rv::workers {

/// A training that is timed.
struct ThroughputRequest {
  std::string model = "resnet50";
  std::string data_mode = "synthetic";
  std::filesystem::path data_folder = "./data";
  std::optional<int> data_threads;  ///< that decode images; none: a rank's share of its processors
  std::string decoder = "auto";     ///< of images: nvjpeg, host, or auto, which takes nvjpeg where it can be had
  std::optional<int> batch;         ///< samples of one rank in a step; none: 32, on the host 4
  std::optional<int> classes;
  double rate = 0.01;
  std::optional<int> warmup, active;  ///< none: 50 and 100, on the host 1 and 3
  int repeats = 1;
  std::string precision;  ///< empty: bf16 on a GPU, fp32 on the host
  std::uint64_t seed = 42;
  std::optional<int> image_size, sequence;
  std::filesystem::path results;
  std::filesystem::path folder;  ///< for checkpoints; empty: none are written
  std::int64_t save_every = 0;
  double dropout = 0.1;                   ///< of a transformer
  std::filesystem::path initial_weights;  ///< what to begin with; empty: what the seed gives
  std::filesystem::path final_weights;    ///< where rank 0 leaves what it ended with; empty: nowhere
  bool scaling = false;                   ///< one rank alone is timed too
  std::optional<double> peak_tflops;      ///< of one GPU, at this precision; none: it is not known here
};

/// Fills in what depends on the device. Throws std::invalid_argument.
void complete(ThroughputRequest& request, bool on_gpu);
Network network_of(const ThroughputRequest& request, bool on_gpu);
/// What all ranks must agree on, of a request that is complete; also for the report.
Json agreed_options(const ThroughputRequest& request);

struct ThroughputEnd {
  bool finished = false;           ///< false: a warning ended it, or a refusal
  std::optional<Refusal> refusal;  ///< of a batch that does not fit; the same on all ranks
};

/// Trains and times on all ranks; rank 0 reports and writes the results.
ThroughputEnd run_throughput(Peer& peer, Communicator& communicator, bool on_gpu, const ThroughputRequest& request,
                             const std::function<bool()>& warned);

}  // namespace rv::workers
