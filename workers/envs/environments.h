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

/// Pointers are to the device's memory (the host's for the CPU). Row by row [environments × width].
struct StepBuffers {
  const float* actions;
  float* observations;
  float* rewards;
  std::uint8_t* terminated;
  std::uint8_t* timed_out;
};

/// Many independent copies of one task, stepped together. `stream` is a cudaStream_t, null on the CPU: what a GPU does
/// is enqueued there, without work on the host, so that it can be captured in a CUDA graph.
class Environments {
 public:
  virtual ~Environments() = default;
  virtual Sizes sizes() const = 0;
  /// The device memory that is held.
  virtual std::size_t bytes() const = 0;
  /// Begins all environments anew, from the seed.
  virtual void reset(float* observations, void* stream) = 0;
  /// One control step of 0.02 s. What ended begins anew; the observations are those after that.
  virtual void step(const StepBuffers& buffers, void* stream) = 0;
  /// Everything that the next steps depend on, so that they can be repeated bit by bit.
  virtual std::vector<std::byte> state() const = 0;
  virtual void restore(const std::vector<std::byte>& state) = 0;
  /// Means over the environments and the steps since the last call; NaN where not known.
  struct Figures {
    double mean_terrain_level, mean_tracking_error, mean_speed;
  };
  virtual Figures figures() = 0;
};

}  // namespace rv::envs
