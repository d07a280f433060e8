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
  std::vector<int> choices;  ///< chosen algorithms, from a checkpoint
  bool same_bits = false;    ///< use only algorithms that give the same bits every time, even if others are faster
  int gpu_decoders = 0;      ///< threads that decode images into this GPU's memory; 0: images are in host memory
};

/// A network that is trained on one device, together with the other ranks: stochastic gradient descent with momentum
/// 0.9 on the mean loss over all ranks' rows. All ranks make the same calls. When a call returns, its step may have
/// been enqueued only, and not be done yet.
class Learner {
 public:
  virtual ~Learner() = default;

  /// The number of batches that fit on the device.
  virtual int slots() const = 0;
  /// The pool in which batches should be made: ordinary memory by default.
  virtual BatchMemory batch_memory() const { return {}; }
  /// Loads a batch into a slot, after the steps that use its content have ended. The slot may keep a reference to the
  /// batch's values, which must not change any more.
  virtual void load(int slot, const Batch& batch) = 0;
  /// Makes a training step on the batch in the slot. `warned`: this rank has received the signal to save and end. The
  /// step passes it on to all ranks (see warned()).
  virtual void step(int slot, bool warned) = 0;
  /// Makes a step without the other ranks, to measure their cost. Gradients are not summed, so the weights differ
  /// between ranks from here on and must be restored. Without a slot it uses the input of the previous step, which is
  /// not loaded again.
  virtual void step_alone(std::optional<int> slot) = 0;
  /// Whether `warned` was true on any rank, in a step that has ended on all ranks. Every rank gets the same result.
  virtual bool warned() const = 0;
  /// Waits until all steps are done.
  virtual void finish() = 0;

  /// Figures of the steps since the last call, after `finish`: this rank's mean losses, the shares of its labels that
  /// had the highest score, and the seconds of each step. A step is timed from the end of the previous one (the first
  /// from the last call), so that its time includes waiting for input.
  virtual std::vector<float> losses() = 0;
  virtual std::vector<float> accuracies() = 0;
  virtual std::vector<double> step_seconds() = 0;

  /// The state: parameters, momentum, running statistics and more. Call it after `finish`, on all ranks: a part may be
  /// on other ranks.
  virtual std::vector<float> state() = 0;
  /// A checksum of the weights that the last steps before `state` used, as received from other ranks; empty if none
  /// were received. Together with that of the state it shows whether all ranks have the same weights.
  virtual std::string checksum_of_copies() const { return {}; }
  /// Sets a state that state() returned. `step`: the number of steps that it has made.
  virtual void restore(std::span<const float> state, std::int64_t step) = 0;
  /// Sets parameters and running statistics; momentum becomes zero.
  virtual void begin_with(const Weights& weights) = 0;

  /// The chosen algorithms, for a checkpoint.
  virtual std::vector<int> choices() const { return {}; }
  /// Details for the report: memory, libraries, skipped steps.
  virtual nlohmann::ordered_json details() const = 0;
};

std::unique_ptr<Learner> host_learner(const Network& network, const LearnerRequest& request, Peer& peer,
                                      Communicator& communicator);
/// Creates a learner on the current CUDA device; null in a build without CUDA.
std::unique_ptr<Learner> gpu_learner(const Network& network, const LearnerRequest& request, Peer& peer,
                                     Communicator& communicator);

/// Returns a function that computes the bytes of GPU memory that a rank's training will allocate on the current GPU,
/// including a reserve for the libraries (docs/training.md), in a run of `world` ranks. It returns 0 in a build without
/// CUDA.
std::function<std::size_t(const Network&)> gpu_bytes_counter(const LearnerRequest& request, int world);
/// The bytes of host memory: the network, the learner's momentum, two batches and two copies of its state.
std::size_t host_bytes_needed(const Network& network);

inline constexpr double momentum_of_learners = 0.9;

}  // namespace rv::workers
