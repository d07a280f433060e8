#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workers/envs/environments.h"
#include "workers/ppo/settings.h"

namespace rv::ppo {

struct LearnerRequest {
  Settings settings;
  std::uint64_t seed = 1;
  int first_environment = 0;       ///< first environment of this rank; selects the actions' random numbers
  std::string precision = "tf32";  ///< precision of a GPU's products: fp32, tf32 or bf16; the host only has fp32
  int world = 1;
  /// Sums `data` over the ranks, in place, on a stream of the device, which may be capturing. Not called with one rank.
  std::function<void(float* data, std::size_t count, void* stream)> all_reduce;
  std::function<void()> check;  ///< called repeatedly while a GPU computes; throws if the run has ended elsewhere
};

/// The result of an iteration over all ranks; the times are those of this rank.
struct Outcome {
  double collection_seconds = 0, learning_seconds = 0;
  double step_reward = 0;                             ///< mean over all steps
  double episodes = 0;                                ///< episodes that ended
  double episode_reward = 0, episode_length = 0;      ///< means over those episodes; 0 if none ended
  double surrogate_loss = 0, value_loss = 0, kl = 0;  ///< means over the mini-batches
  double entropy = 0, mean_std = 0, rate = 0;         ///< after the iteration
  bool warned = false;                                ///< some rank was warned
};

/// PPO on one device, together with the other ranks. All ranks make the same calls in the same order.
class Learner {
 public:
  virtual ~Learner() = default;
  /// Runs one iteration: collects, learns, and waits for the end. `warned`: this rank has received the signal to save
  /// and end; the result's `warned` is true on every rank if it was true on one.
  virtual Outcome iterate(bool warned) = 0;
  /// The complete state for the next iterations, including that of the environments.
  virtual std::vector<std::byte> state() const = 0;
  /// Throws std::runtime_error if the state belongs to another training.
  virtual void restore(const std::vector<std::byte>& state) = 0;
  virtual std::vector<float> parameters() const = 0;
  /// The gradients of the last mini-batch, over all ranks.
  virtual std::vector<float> gradients() const = 0;
  virtual std::uint64_t iterations() const = 0;  ///< completed iterations
  virtual std::size_t bytes() const = 0;         ///< of device memory, without the environments
};

/// The environments must outlive the learner.
std::unique_ptr<Learner> host_learner(envs::Environments& environments, const LearnerRequest& request);
/// Creates a learner on the current CUDA device; null in a build without CUDA.
std::unique_ptr<Learner> gpu_learner(envs::Environments& environments, const LearnerRequest& request);

/// Returns the bytes that a host learner and a GPU learner will use. Allocates nothing.
std::size_t host_learner_bytes(const envs::Sizes& sizes, const LearnerRequest& request);
std::size_t gpu_learner_bytes(const envs::Sizes& sizes, const LearnerRequest& request);

}  // namespace rv::ppo
