#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "workers/training/gpu/kernels/gpu_type.h"
#include "workers/training/gpu/kernels/step_state.h"

namespace rv::workers {

/// The array that contains a gradient: in the products' stored type (narrow) or in fp32 (wide).
enum class GradientKind : std::uint8_t { wide, narrow };
/// Parameters begin at multiples of this; all gradients of a block are in one array.
inline constexpr std::size_t gradient_block = 64;

/// Gradients of some parameters that the ranks have sent to each other.
struct GradientsSent {
  static constexpr int most = 8;
  const void* of_rank[most] = {};  ///< null for this rank, whose gradients are the narrow ones
  int ranks = 0;
  std::int64_t ahead = 0;  ///< the gradient of parameter i is at i + ahead
};

/// The gradients of all parameters, and the arrays that contain them.
struct Gradients {
  enum class From : std::uint8_t {
    wide,    ///< all from `wide`
    narrow,  ///< all from `narrow`
    kinds,   ///< each block from the array in `kinds`
    /// the sum over the ranks, in fp32 and in their order, of `narrow` and the received ones; the same bits on all
    /// ranks
    ranks,
  };
  From from = From::wide;
  GpuType type = GpuType::fp32;  ///< type of the narrow arrays
  float* wide = nullptr;
  void* narrow = nullptr;
  const GradientKind* kinds = nullptr;  ///< by block
  GradientsSent sent;
};

/// Converts the narrow gradients of `count` parameters from `begin` on to the wide array.
void widen(const Gradients& gradients, std::int64_t begin, std::int64_t count, cudaStream_t stream);
/// Converts the wide gradients to the narrow array.
void narrow(const Gradients& gradients, std::int64_t begin, std::int64_t count, cudaStream_t stream);

/// to[i] += more[i].
void add(const float* more, int count, float* to, cudaStream_t stream);

/// SGD with momentum 0.9, which also updates the narrow copies; `narrow` null: there are none. Gradients are divided by
/// the loss scale. A step that overflowed changes nothing.
struct UpdateMemory {
  float* parameters;
  float* momentum;
  void* narrow;
};
inline constexpr float momentum_factor = 0.9F;
void update(const Gradients& gradients, const UpdateMemory& memory, std::int64_t begin, std::int64_t count, float rate,
            const StepState* state, cudaStream_t stream);

/// Sets state->overflowed if a gradient is infinite or NaN. If fp16 gradients are to be summed in fp32, each rank
/// checks only its own: finite ones have a finite sum.
void find_overflow(const Gradients& gradients, std::int64_t count, StepState* state, cudaStream_t stream);
/// Sets it if another rank has found an overflow.
void add_overflow(const unsigned int* found, StepState* state, cudaStream_t stream);
/// After the update: halves the loss scale after an overflow, doubles it after 2000 steps without one.
void adjust_scale(StepState* state, cudaStream_t stream);

/// Updates the narrow copies of all parameters.
void narrow_copy(GpuType type, const float* from, void* to, std::int64_t count, cudaStream_t stream);

}  // namespace rv::workers
