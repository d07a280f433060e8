#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "workers/collectives/communicator.h"
#include "workers/ranks/refusal.h"
#include "workers/training/learning/learner.h"

namespace rv::workers {

/// The options of a timed training.
struct ThroughputRequest {
  std::string model = "resnet50";
  std::string data_mode = "synthetic";
  std::filesystem::path data_folder = "./data";
  std::optional<int> data_threads;  ///< threads that decode images; nothing: this rank's share of the CPUs
  std::string decoder = "auto";     ///< decoder of images: nvjpeg, host, or auto: nvjpeg if it is available
  std::optional<int> batch;         ///< samples of one rank in a step; nothing: 32, on the host 4
  std::optional<int> classes;
  double rate = 0.01;
  std::optional<int> warmup, active;  ///< nothing: 50 and 100, on the host 1 and 3
  int repeats = 1;
  std::string precision;  ///< empty: bf16 on a GPU, fp32 on the host
  std::uint64_t seed = 42;
  std::optional<int> image_size, sequence;
  std::filesystem::path results;
  std::filesystem::path folder;  ///< for checkpoints; empty: none are written
  std::int64_t save_every = 0;
  double dropout = 0.1;                   ///< of a transformer
  std::filesystem::path initial_weights;  ///< initial weights; empty: from the seed
  std::filesystem::path final_weights;    ///< file to which rank 0 writes the final weights; empty: none
  bool scaling = false;                   ///< also time one rank by itself
  std::optional<double> peak_tflops;      ///< of one GPU at this precision; nothing: unknown
};

/// Fills in the defaults that depend on the device. Throws std::invalid_argument.
void complete(ThroughputRequest& request, bool on_gpu);
Network network_of(const ThroughputRequest& request, bool on_gpu);
/// The options that must be equal on all ranks, of a complete request; also for the report.
Json agreed_options(const ThroughputRequest& request);

struct ThroughputEnd {
  bool finished = false;           ///< false: ended by a warning or a refusal
  std::optional<Refusal> refusal;  ///< refusal of a batch that does not fit; the same on all ranks
};

/// Trains and measures on all ranks; rank 0 reports and writes the results.
ThroughputEnd run_throughput(Peer& peer, Communicator& communicator, bool on_gpu, const ThroughputRequest& request,
                             const std::function<bool()>& warned);

}  // namespace rv::workers
