#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "workers/collectives/communicator.h"
#include "workers/training/data/batch.h"
#include "workers/training/data/batch_memory.h"
#include "workers/training/learning/weights_file.h"
#include "workers/training/network/network.h"

namespace rv::workers {

struct LearnerRequest {
  std::string precision = "fp32";  ///< fp32, tf32, fp16, bf16
  std::uint64_t seed = 42;
  double rate = 0.01;
  std::vector<int> choices;  ///< of ways to compute, from a checkpoint
  bool same_bits = false;    ///< only ways to compute that give the same bits every time, also where others are faster
  int gpu_decoders = 0;      ///< threads that draw the batches' images in this GPU's memory; 0: they lie in the host's
};

/// A network that learns on one device, with the other ranks: stochastic gradient descent with momentum 0.9 on the mean
/// loss over all ranks' rows. All ranks make the same calls. Steps may be enqueued and not yet done.
class Learner {
 public:
  virtual ~Learner() = default;

  /// How many batches can wait on the device.
  virtual int slots() const = 0;
  /// Where batches that are to be loaded had best lie: ordinary memory, unless a learner says otherwise.
  virtual BatchMemory batch_memory() const { return {}; }
  /// Puts a batch into a slot, once no step needs what is in it. The slot may hold on to the batch's values, which must
  /// not change any more.
  virtual void load(int slot, const Batch& batch) = 0;
  /// Trains on what is in the slot. `warned` reaches all ranks.
  virtual void step(int slot, bool warned) = 0;
  /// The same without the other ranks, to time what they cost: nothing is added up, so the weights are this rank's own
  /// from here on and are to be restored. No slot: on the input of the step before, which is not fetched again.
  virtual void step_alone(std::optional<int> slot) = 0;
  /// Whether some rank was warned at a step that all know to be done. The same answer on every rank.
  virtual bool warned() const = 0;
  /// Waits until all steps are done.
  virtual void finish() = 0;

  /// Of the steps since the last call, after `finish`: this rank's mean losses, the shares of its labels that had the
  /// highest score, and how long each took, from the end of the one before (the first from that call), so that waiting
  /// for its input is part of it.
  virtual std::vector<float> losses() = 0;
  virtual std::vector<float> accuracies() = 0;
  virtual std::vector<double> step_seconds() = 0;

  /// Parameters, momentum, running statistics, and what else is to be kept. After `finish`. Other ranks may have what
  /// is wanted, so that all call it.
  virtual std::vector<float> state() = 0;
  /// Of the weights that the last steps before a `state` computed with, as other ranks had sent them; empty where none
  /// had. With the state's it shows whether all ranks have the same.
  virtual std::string checksum_of_copies() const { return {}; }
  virtual void restore(std::span<const float> state, std::int64_t step) = 0;
  /// Sets parameters and running statistics, and no momentum.
  virtual void begin_with(const Weights& weights) = 0;

  virtual std::vector<int> choices() const { return {}; }
  /// For the report: memory, libraries, skipped steps.
  virtual nlohmann::ordered_json details() const = 0;
};

std::unique_ptr<Learner> host_learner(const Network& network, const LearnerRequest& request, Peer& peer,
                                      Communicator& communicator);
/// On the current CUDA device; null in a build without CUDA.
std::unique_ptr<Learner> gpu_learner(const Network& network, const LearnerRequest& request, Peer& peer,
                                     Communicator& communicator);

/// Bytes of memory that a rank's training takes from here on. Of the current GPU's, with what is kept free for the
/// libraries (docs/training.md), in a run of so many ranks; 0 in a build without CUDA.
std::function<std::size_t(const Network&)> gpu_bytes_counter(const LearnerRequest& request, int world);
/// Of the host's: the network, the learner's momentum, two batches and two copies of its state.
std::size_t host_bytes_needed(const Network& network);

inline constexpr double momentum_of_learners = 0.9;

}  // namespace rv::workers
