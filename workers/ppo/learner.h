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
  int first_environment = 0;       ///< of this rank, for the actions' random numbers
  std::string precision = "tf32";  ///< of a GPU's products: fp32, tf32, bf16; the host has fp32 alone
  int world = 1;
  /// Adds up over the ranks, in place, on a stream of the device, which may be recording. Not called for one rank.
  std::function<void(float* data, std::size_t count, void* stream)> all_reduce;
  std::function<void()> check;  ///< called now and then while a GPU computes; throws if the run is over elsewhere
};

/// What an iteration came to, over all ranks; the times are this rank's.
struct Outcome {
  double collection_seconds = 0, learning_seconds = 0;
  double step_reward = 0;                             ///< mean over all steps
  double episodes = 0;                                ///< that ended
  double episode_reward = 0, episode_length = 0;      ///< means over those; 0 where none ended
  double surrogate_loss = 0, value_loss = 0, kl = 0;  ///< means over the mini-batches
  double entropy = 0, mean_std = 0, rate = 0;         ///< after the iteration
  bool warned = false;                                ///< some rank was
};

/// PPO on one device, together with the other ranks: all make the same calls in the same order.
class Learner {
 public:
  virtual ~Learner() = default;
  /// One iteration: collects, learns, and waits for the end. `warned` reaches all ranks.
  virtual Outcome iterate(bool warned) = 0;
  /// Everything that the next iterations depend on, the environments' state included.
  virtual std::vector<std::byte> state() const = 0;
  /// Throws std::runtime_error where the state is of another training.
  virtual void restore(const std::vector<std::byte>& state) = 0;
  virtual std::vector<float> parameters() const = 0;
  /// Of the last mini-batch, over all ranks.
  virtual std::vector<float> gradients() const = 0;
  virtual std::uint64_t iterations() const = 0;  ///< done
  virtual std::size_t bytes() const = 0;         ///< of the device's memory, without the environments'
};

/// The environments must outlive the learner.
std::unique_ptr<Learner> host_learner(envs::Environments& environments, const LearnerRequest& request);
/// On the current CUDA device; null in a build without CUDA.
std::unique_ptr<Learner> gpu_learner(envs::Environments& environments, const LearnerRequest& request);

/// What they will take, known before.
std::size_t host_learner_bytes(const envs::Sizes& sizes, const LearnerRequest& request);
std::size_t gpu_learner_bytes(const envs::Sizes& sizes, const LearnerRequest& request);

}  // namespace rv::ppo
