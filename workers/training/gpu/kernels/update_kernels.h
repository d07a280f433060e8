#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "workers/training/gpu/kernels/gpu_type.h"
#include "workers/training/gpu/kernels/step_state.h"

namespace rv::workers {

/// In which of two arrays a gradient is: as the products store it, or in fp32.
enum class GradientKind : std::uint8_t { wide, narrow };
/// Parameters begin at multiples of so many; each block of them is of one kind.
inline constexpr std::size_t gradient_block = 64;

/// What the ranks sent each other of some parameters' gradients.
struct GradientsSent {
  static constexpr int most = 8;
  const void* of_rank[most] = {};  ///< of this one null: its own are the narrow ones
  int ranks = 0;
  std::int64_t ahead = 0;  ///< parameter i's lies at i + ahead
};

/// The gradients of all parameters, and where they come from.
struct Gradients {
  enum class From : std::uint8_t {
    wide,    ///< all from `wide`
    narrow,  ///< all from `narrow`
    kinds,   ///< each block from the array that `kinds` says
    ranks,   ///< the sum, in fp32 and in the order of ranks, of `narrow` and what the others sent; the same bits on all
  };
  From from = From::wide;
  GpuType type = GpuType::fp32;  ///< of the narrow arrays
  float* wide = nullptr;
  void* narrow = nullptr;
  const GradientKind* kinds = nullptr;  ///< by block
  GradientsSent sent;
};

/// Of `count` parameters from `begin` on: brings what comes narrow to the wide array.
void widen(const Gradients& gradients, std::int64_t begin, std::int64_t count, cudaStream_t stream);
/// What comes wide to the narrow one.
void narrow(const Gradients& gradients, std::int64_t begin, std::int64_t count, cudaStream_t stream);

/// to[i] += more[i].
void add(const float* more, int count, float* to, cudaStream_t stream);

/// SGD with momentum 0.9, and the narrow copies of what it moved; `narrow` null: there are none. Gradients are divided
/// by the loss scale; a step that overflowed changes nothing.
struct UpdateMemory {
  float* parameters;
  float* momentum;
  void* narrow;
};
inline constexpr float momentum_factor = 0.9F;
void update(const Gradients& gradients, const UpdateMemory& memory, std::int64_t begin, std::int64_t count, float rate,
            const StepState* state, cudaStream_t stream);

/// Sets state->overflowed where a gradient is infinite or no number. Of fp16 ones that are to be added up in fp32 each
/// rank looks at its own: finite ones have a finite sum.
void find_overflow(const Gradients& gradients, std::int64_t count, StepState* state, cudaStream_t stream);
/// And where another rank has found one.
void add_overflow(const unsigned int* found, StepState* state, cudaStream_t stream);
/// After the update: halves the loss scale after an overflow, doubles it after 2000 steps without one.
void adjust_scale(StepState* state, cudaStream_t stream);

/// Narrow copies of all parameters.
void narrow_copy(GpuType type, const float* from, void* to, std::int64_t count, cudaStream_t stream);

}  // namespace rv::workers
