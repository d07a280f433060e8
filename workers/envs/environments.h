#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rv::envs {

enum class Device { cpu, cuda };

struct Sizes {
  int environments;
  int observations;
  int actions;
};

/// Arrays in the device's memory (for the CPU, the host's), row-major [environments × width].
struct StepBuffers {
  const float* actions;
  float* observations;
  float* rewards;
  std::uint8_t* terminated;
  std::uint8_t* timed_out;
};

/// Many independent copies of one task that are stepped together. `stream` is a cudaStream_t, null on the CPU. A GPU
/// implementation only enqueues its work there, without work on the host, so that it can be captured in a CUDA graph.
class Environments {
 public:
  virtual ~Environments() = default;
  virtual Sizes sizes() const = 0;
  /// The device memory that it uses, in bytes.
  virtual std::size_t bytes() const = 0;
  /// Starts all environments again, from the seed.
  virtual void reset(float* observations, void* stream) = 0;
  /// Makes one control step of 0.02 s. An environment whose episode ended starts a new one; its observations are then
  /// those of the new episode.
  virtual void step(const StepBuffers& buffers, void* stream) = 0;
  /// The complete state, so that the next steps can be repeated bit by bit.
  virtual std::vector<std::byte> state() const = 0;
  virtual void restore(const std::vector<std::byte>& state) = 0;
  /// Means over the environments and the steps since the last call; NaN where not known.
  struct Figures {
    double mean_terrain_level, mean_tracking_error, mean_speed;
  };
  virtual Figures figures() = 0;
};

}  // namespace rv::envs
