#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "workers/training/gpu/gpu_type.h"

namespace rv::workers {

/// Where the step's number and the loss scale lie on the GPU, so that one recorded step can be run again and again.
struct StepState {
  long long step;           ///< counts from 1
  float loss_scale;         ///< of fp16; else 1
  unsigned int overflowed;  ///< this step has a gradient that is no number
  unsigned int good;        ///< steps since the last that had
  unsigned int skipped;     ///< all that had
};
/// A step begins: its number, and no overflow yet. `seeds`: for each of `count` layers a seed and an offset of a
/// library's own random numbers, made anew.
void begin_step(StepState* state, std::uint64_t base, long long* seeds, int count, cudaStream_t stream);

/// Dropout on the GPU: which elements, by the same hash as on the host.
struct GpuDropout {
  std::uint32_t kept = 65536;
  std::uint64_t base = 0, layer = 0;  ///< the key is made of these and the step
};

/// All of these enqueue, on rows of channels that are a multiple of eight unless said otherwise.

/// y = x dropped; bit i of `bits`: element i is kept and above zero. In place or not.
void drop_rows(GpuType type, std::int64_t count, const GpuDropout& dropout, const StepState* state, const void* x,
               void* y, std::uint8_t* bits, cudaStream_t stream);
/// dx = dy where the bit is set, times `scale`.
void mask_rows(GpuType type, std::int64_t count, const void* dy, const std::uint8_t* bits, float scale, void* dx,
               cudaStream_t stream);

struct EmbeddingShape {
  GpuType type;
  std::int64_t rows;
  int sequence, width, vocabulary;
};
/// `positions`: sequence × width floats.
void embed(const EmbeddingShape& shape, const int* tokens, const float* table, const float* positions,
           const GpuDropout& dropout, const StepState* state, void* y, cudaStream_t stream);
void embed_back(const EmbeddingShape& shape, const int* tokens, const void* dy, const GpuDropout& dropout,
                const StepState* state, float* dtable, cudaStream_t stream);

struct RowShape {
  GpuType type;
  std::int64_t rows;
  int width;
};
/// x becomes residual + dropped x; y is its layer norm. `saved`: rows × 2.
void add_layer_norm(const RowShape& shape, void* x, const void* residual, const float* scale, const float* shift,
                    const GpuDropout& dropout, const StepState* state, void* y, float* saved, cudaStream_t stream);
/// `partial`: layer_norm_partial_floats.
std::size_t layer_norm_partial_floats(int width);
void add_layer_norm_back(const RowShape& shape, const void* sum, const void* dy, const float* scale, const float* saved,
                         const GpuDropout& dropout, const StepState* state, void* dx, void* dresidual, float* dscale,
                         float* dshift, float* partial, cudaStream_t stream);

/// Any width. Scores become gradients, times `share` and the loss scale; losses by row, then by row 1 where the label
/// had the highest score, the first of several, and 0 elsewhere.
void cross_entropy(const RowShape& shape, void* scores, const int* labels, float share, const StepState* state,
                   float* losses, cudaStream_t stream);
/// Their means to history[i] and history[capacity + i], i = (step - 1) % capacity.
void mean_loss(const float* losses, std::int64_t rows, const StepState* state, float* history, int capacity,
               cudaStream_t stream);

void mean_pool(GpuType type, int n, int places, int channels, const void* x, void* y, cudaStream_t stream);
void mean_pool_back(GpuType type, int n, int places, int channels, const void* dy, void* dx, cudaStream_t stream);

/// sums[c] = the sum of column c; any width.
void column_sums(const RowShape& shape, const void* x, float* sums, cudaStream_t stream);

/// Softmax of causal scores: heads × length rows of `length` numbers, `stride` apart; the rest of a row becomes zero.
/// Weights to `weights`, dropped ones to `dropped`, which may be the same where nothing is dropped.
struct SoftmaxShape {
  GpuType type;
  std::int64_t matrices;
  int length, stride;
};
void causal_softmax(const SoftmaxShape& shape, const void* scores, void* weights, void* dropped,
                    const GpuDropout& dropout, const StepState* state, cudaStream_t stream);
/// `back`: gradients of the dropped weights, which become those of the scores; `dropped` is made again.
void causal_softmax_back(const SoftmaxShape& shape, const void* weights, void* back, void* dropped,
                         const GpuDropout& dropout, const StepState* state, float scale, cudaStream_t stream);

}  // namespace rv::workers
