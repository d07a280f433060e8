#include "workers/ppo/gpu/blocks.cuh"
#include "workers/ppo/gpu/learn_kernels.h"
#include "workers/training/gpu/kernels/pack.cuh"

namespace rv::ppo {
namespace {

using workers::from_float;
using workers::Pack;

constexpr int loss_threads = 128;

__device__ float warp_sum(float value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffU, value, distance);
  return value;
}

/// One thread per row. `known`: the number of actions if the compiler knows it, which then keeps them in registers.
template <class T, int known>
__global__ void lost(Learning l, int mini_batch) {
  constexpr int room = known > 0 ? known : most_actions;
  const int actions = known > 0 ? known : l.shape.actions;
  const int outputs = l.shape.outputs;
  const int row = blockIdx.x * loss_threads + threadIdx.x;
  const auto& a = l.arrays;
  float d_mean[room], d_log_std[room], d_value = 0;
  SampleLoss<float> loss;
  const float scale = 1.0F / static_cast<float>(l.shape.rows);
  if (row < l.shape.rows) {
    const std::int64_t sample = a.sample_of[static_cast<std::int64_t>(mini_batch) * l.shape.rows + row];
    const float* const out = a.out + static_cast<std::int64_t>(row) * outputs;
    const float* const biases = a.parameters + l.layout.biases[3];
    float mean[room];
    for (int i = 0; i < actions; ++i) mean[i] = out[i] + biases[i];
    const Sample<float> old{a.actions + sample * actions, a.means + sample * actions, a.old_log_std,
                            a.log_densities[sample],      a.values[sample],           a.advantages[sample],
                            a.wanted_values[sample]};
    loss = sample_loss(actions, mean, a.parameters + l.layout.log_std, out[actions] + biases[actions], old, l.weights,
                       scale, d_mean, d_log_std, &d_value);
    T* const d_out = static_cast<T*>(a.d_out) + static_cast<std::int64_t>(row) * outputs;
    for (int i = 0; i < actions; ++i) d_out[i] = from_float<T>(d_mean[i]);
    d_out[actions] = from_float<T>(d_value);
    for (int i = actions + 1; i < outputs; ++i) d_out[i] = from_float<T>(0.0F);
  } else {
    for (int i = 0; i < actions; ++i) d_mean[i] = d_log_std[i] = 0;
  }
  extern __shared__ float sums[];  // one row of all sums per warp
  const int count = l.shape.sums(), warp = threadIdx.x / 32;
  const auto add = [&](int index, float value) {
    value = warp_sum(value);
    if (threadIdx.x % 32 == 0) sums[warp * count + index] = value;
  };
  for (int i = 0; i < actions; ++i) add(i, d_mean[i]);
  add(actions, d_value);
  for (int i = actions + 1; i < outputs; ++i) add(i, 0.0F);
  for (int i = 0; i < actions; ++i) add(outputs + i, d_log_std[i]);
  add(outputs + actions, loss.kl * scale);
  add(outputs + actions + 1, loss.surrogate * scale);
  add(outputs + actions + 2, loss.value * scale);
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += loss_threads) {
    float sum = 0;
    for (int w = 0; w < loss_threads / 32; ++w) sum += sums[w * count + i];
    a.loss_parts[static_cast<std::int64_t>(i) * gridDim.x + blockIdx.x] = sum;
  }
}

/// One block per sum.
__global__ void loss_folded(Learning l) {
  const auto& a = l.arrays;
  const int blocks = l.shape.loss_blocks, index = blockIdx.x;
  double sum = 0;
  for (int i = threadIdx.x; i < blocks; i += threads)
    sum += a.loss_parts[static_cast<std::int64_t>(index) * blocks + i];
  const auto whole = static_cast<float>(block_sum<threads>(sum) * l.share);
  if (threadIdx.x != 0) return;
  const int outputs = l.shape.outputs, actions = l.shape.actions;
  auto* const passengers = reinterpret_cast<Passengers*>(a.gradients + l.layout.count);
  if (index < outputs)
    a.gradients[l.layout.biases[3] + index] = whole;
  else if (index < outputs + actions)
    a.gradients[l.layout.log_std + index - outputs] = whole;
  else if (index == outputs + actions)
    passengers->kl = whole;
  else if (index == outputs + actions + 1)
    passengers->surrogate = whole;
  else
    passengers->value = whole;
  if (index != 0) return;
  passengers->episodes = a.collected->episodes;
  passengers->episode_reward = a.collected->episode_reward;
  passengers->episode_length = a.collected->episode_length;
  passengers->step_reward = a.collected->step_reward;
  passengers->warned = a.collected->warned;
}

/// 256 columns of a slab of rows per block: 32 threads of 8 columns, eight rows at a time.
template <class T>
__global__ void slope(const T* results, T* gradient, int rows, int columns, float* slabs) {
  __shared__ float parts[8][256];
  const int lane = threadIdx.x % 32, line = threadIdx.x / 32;
  const int column = (blockIdx.x * 32 + lane) * 8;
  const int each = (rows + gridDim.y - 1) / gridDim.y;
  const int begin = blockIdx.y * each, end = begin + each < rows ? begin + each : rows;
  float sums[8] = {};
  if (column < columns) {
    for (int row = begin + line; row < end; row += 8) {
      const auto at = static_cast<std::int64_t>(row) * columns + column;
      const Pack h = workers::load_pack(results + at);
      Pack g = workers::load_pack(gradient + at);
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        g.v[k] *= h.v[k] > 0 ? 1.0F : h.v[k] + 1;
        sums[k] += g.v[k];
      }
      workers::store_pack(gradient + at, g);
    }
  }
#pragma unroll
  for (int k = 0; k < 8; ++k) parts[line][lane * 8 + k] = sums[k];
  __syncthreads();
  const int own = blockIdx.x * 256 + threadIdx.x;
  if (own >= columns) return;
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += parts[i][threadIdx.x];
  slabs[static_cast<std::int64_t>(blockIdx.y) * columns + own] = sum;
}

/// 32 columns per block, with eight threads for each column.
__global__ void slabs_folded(const float* slabs, int count, int columns, float share, float* gradients) {
  __shared__ float parts[8][32];
  const int column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  if (column < columns) {
    for (int i = threadIdx.y; i < count; i += 8) sum += slabs[static_cast<std::int64_t>(i) * columns + column];
  }
  parts[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || column >= columns) return;
  for (int i = 1; i < 8; ++i) sum += parts[i][threadIdx.x];
  gradients[column] = sum * share;
}

__global__ void slices_folded(Learning l) {
  const auto at = 8 * (static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x);
  const auto count = static_cast<std::int64_t>(l.layout.biases[0]);
  if (at >= count) return;
  Pack sum = workers::load_pack(l.arrays.slices + at);
  for (int i = 1; i < l.shape.slices; ++i) {
    const Pack next = workers::load_pack(l.arrays.slices + i * count + at);
#pragma unroll
    for (int k = 0; k < 8; ++k) sum.v[k] += next.v[k];
  }
  const auto last = static_cast<std::int64_t>(l.layout.weights[3]);
  const int row_size = 2 * l.layout.hidden[2];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    // Half of the last layer's product is not used: the actor's rows with the critic's inputs, and the reverse.
    const auto place = at + k - last;
    const bool used =
        place < 0 || l.layout.used_in_last(static_cast<int>(place / row_size), static_cast<int>(place % row_size));
    sum.v[k] = used ? sum.v[k] * l.share : 0.0F;
  }
  workers::store_pack(l.arrays.gradients + at, sum);
}

__global__ void square_parts(const float* gradients, std::int64_t count, double* partial) {
  double sum = 0;
  for (auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x; i < count;
       i += reduce_blocks * threads) {
    sum += static_cast<double>(gradients[i]) * gradients[i];
  }
  sum = block_sum<threads>(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

__global__ void decided(Learning l) {
  const double squares = block_sum<threads>(l.arrays.partial[threadIdx.x]);
  if (threadIdx.x != 0) return;
  const auto& passengers = *reinterpret_cast<const Passengers*>(l.arrays.gradients + l.layout.count);
  auto& losses = *l.arrays.losses;
  losses.kl += passengers.kl;
  losses.surrogate += passengers.surrogate;
  losses.value += passengers.value;
  losses.mini_batches += 1;
  *l.arrays.update = next_update<float>(*l.arrays.progress, passengers.kl, squares, l.wanted_kl, l.grad_norm);
}

template <class T>
__global__ void stepped(Learning l, bool copies) {
  const auto at = 8 * (static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x);
  if (at >= static_cast<std::int64_t>(l.layout.count)) return;
  const auto& a = l.arrays;
  const Update<float> update = *a.update;
  Pack p = workers::load_pack(a.parameters + at), m = workers::load_pack(a.first + at),
       v = workers::load_pack(a.second + at);
  const Pack g = workers::load_pack(a.gradients + at);
#pragma unroll
  for (int k = 0; k < 8; ++k) p.v[k] = adam(p.v[k], g.v[k], m.v[k], v.v[k], update);
  workers::store_pack(a.parameters + at, p);
  workers::store_pack(a.first + at, m);
  workers::store_pack(a.second + at, v);
  if (copies && at < static_cast<std::int64_t>(l.layout.biases[0]))
    workers::store_pack(static_cast<T*>(a.narrow) + at, p);
}

template <class T>
__global__ void copied(const float* from, T* to, std::int64_t packs) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < packs) workers::store_pack(to + 8 * i, workers::load_pack(from + 8 * i));
}

__global__ void ended(Progress* progress) {
  ++progress->iteration;
}

}  // namespace

void mini_batch_loss(const Learning& l, workers::GpuType type, int mini_batch, cudaStream_t stream) {
  const auto shared = static_cast<std::size_t>(l.shape.sums()) * (loss_threads / 32) * sizeof(float);
  const auto blocks = static_cast<unsigned int>(l.shape.loss_blocks);
  workers::with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    if (l.shape.actions == 12) {
      lost<T, 12><<<blocks, loss_threads, shared, stream>>>(l, mini_batch);
    } else {
      lost<T, 0><<<blocks, loss_threads, shared, stream>>>(l, mini_batch);
    }
  });
}

void elu_back(const Learning& l, workers::GpuType type, int layer, cudaStream_t stream) {
  const auto i = static_cast<std::size_t>(layer);
  const int columns = 2 * l.layout.hidden[i];
  const dim3 grid(blocks_for(columns), static_cast<unsigned int>(l.shape.slabs));
  workers::with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    slope<T><<<grid, threads, 0, stream>>>(static_cast<const T*>(l.arrays.active[i]), static_cast<T*>(l.arrays.back[i]),
                                           l.shape.rows, columns, l.arrays.slabs);
  });
  slabs_folded<<<blocks_for(columns, 32), dim3(32, 8), 0, stream>>>(l.arrays.slabs, l.shape.slabs, columns, l.share,
                                                                    l.arrays.gradients + l.layout.biases[i]);
}

void gather_gradients(const Learning& l, cudaStream_t stream) {
  slices_folded<<<blocks_for(static_cast<std::int64_t>(l.layout.biases[0]) / 8), threads, 0, stream>>>(l);
  loss_folded<<<static_cast<unsigned int>(l.shape.sums()), threads, 0, stream>>>(l);
}

void update_parameters(const Learning& l, workers::GpuType type, cudaStream_t stream) {
  const auto count = static_cast<std::int64_t>(l.layout.count);
  square_parts<<<reduce_blocks, threads, 0, stream>>>(l.arrays.gradients, count, l.arrays.partial);
  decided<<<1, threads, 0, stream>>>(l);
  workers::with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    stepped<T><<<blocks_for(count / 8), threads, 0, stream>>>(l, type != workers::GpuType::fp32);
  });
}

void copy_weights(const Learning& l, workers::GpuType type, cudaStream_t stream) {
  if (type == workers::GpuType::fp32) return;
  const auto packs = static_cast<std::int64_t>(l.layout.biases[0]) / 8;
  workers::with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    copied<T><<<blocks_for(packs), threads, 0, stream>>>(l.arrays.parameters, static_cast<T*>(l.arrays.narrow), packs);
  });
}

void end_iteration(const Learning& l, cudaStream_t stream) {
  ended<<<1, 1, 0, stream>>>(l.arrays.progress);
}

}  // namespace rv::ppo
