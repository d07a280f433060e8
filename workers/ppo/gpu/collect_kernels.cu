#include "workers/ppo/advantages.h"
#include "workers/ppo/gpu/blocks.cuh"
#include "workers/ppo/gpu/collect_kernels.h"
#include "workers/ppo/permutation.h"
#include "workers/ppo/policy.h"
#include "workers/training/gpu/kernels/pack.cuh"

namespace rv::ppo {
namespace {

using workers::from_float;
using workers::Pack;

__global__ void cleared(Collecting c) {
  const int i = blockIdx.x * threads + threadIdx.x;
  auto& a = c.arrays;
  if (i < c.shape.actions) a.old_log_std[i] = a.parameters[c.log_std + i];
  if (i == 0) *a.losses = {};
  if (i >= c.shape.environments) return;
  a.ended_rewards[i] = 0;
  a.ended_lengths[i] = 0;
  a.ended[i] = 0;
  a.step_rewards[i] = 0;
}

/// One warp per row.
template <class T>
__global__ void placed(Collecting c, int step) {
  const int row = blockIdx.x * (threads / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  const auto& shape = c.shape;
  if (row >= shape.environments) return;
  const bool last = step == shape.steps;
  std::uint32_t place = 0;
  if (!last && lane == 0) {
    const auto sample = static_cast<std::uint32_t>(step * shape.environments + row);
    place = place_of(sample, permutation(shape.samples, c.seed, c.arrays.progress->iteration));
    c.arrays.sample_of[place] = sample;
  }
  place = __shfl_sync(0xffffffffU, place, 0);
  const float* const from = c.arrays.seen + static_cast<std::int64_t>(row) * shape.observations;
  T* const now = static_cast<T*>(c.arrays.current) + static_cast<std::int64_t>(row) * shape.width;
  T* const kept = static_cast<T*>(c.arrays.observations) + static_cast<std::int64_t>(place) * shape.width;
  for (int column = lane; column < shape.width; column += 32) {
    const T value = from_float<T>(column < shape.observations ? from[column] : 0.0F);
    now[column] = value;
    if (!last) kept[column] = value;
  }
}

template <class T>
__global__ void activated(T* values, const float* bias, std::int64_t packs, int columns) {
  const auto step = static_cast<std::int64_t>(gridDim.x) * threads;
  for (auto i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x; i < packs; i += step) {
    Pack p = workers::load_pack(values + 8 * i);
    const Pack b = workers::load_pack(bias + 8 * i % columns);
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const float x = p.v[k] + b.v[k];
      p.v[k] = x > 0 ? x : expm1f(x);
    }
    workers::store_pack(values + 8 * i, p);
  }
}

__global__ void acted(Collecting c, int step) {
  const int i = blockIdx.x * threads + threadIdx.x;
  const auto& shape = c.shape;
  if (i >= shape.environments) return;
  auto& a = c.arrays;
  const auto at = static_cast<std::int64_t>(step) * shape.environments + i;
  const float* const out = a.out + static_cast<std::int64_t>(i) * shape.outputs;
  const float* const biases = a.parameters + c.last_biases;
  a.values[at] = out[shape.actions] + biases[shape.actions];
  if (step == shape.steps) return;
  float* const means = a.means + at * shape.actions;
  for (int k = 0; k < shape.actions; ++k) means[k] = out[k] + biases[k];
  const auto number = a.progress->iteration * shape.steps + step;
  a.log_densities[at] =
      choose_actions(shape.actions, means, a.old_log_std, c.seed, number,
                     static_cast<std::uint32_t>(c.first_environment + i), a.actions + at * shape.actions);
}

__global__ void counted(Collecting c, int step) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= c.shape.environments) return;
  auto& a = c.arrays;
  const auto at = static_cast<std::int64_t>(step) * c.shape.environments + i;
  const float reward = a.rewards[at], so_far = a.episode_rewards[i] + reward;
  const int length = a.episode_lengths[i] + 1;
  const bool over = a.terminated[at] != 0 || a.timed_out[at] != 0;
  a.step_rewards[i] += reward;
  a.episode_rewards[i] = over ? 0 : so_far;
  a.episode_lengths[i] = over ? 0 : length;
  if (!over) return;
  a.ended[i] += 1;
  a.ended_rewards[i] += so_far;
  a.ended_lengths[i] += static_cast<float>(length);
}

__global__ void estimated(Collecting c) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= c.shape.environments) return;
  const auto& a = c.arrays;
  const Trajectories<float> seen{c.shape.steps, c.shape.environments, a.rewards, a.values, a.terminated, a.timed_out};
  estimate_advantages(seen, i, c.gamma, c.lambda, a.advantages, a.wanted_values);
}

__global__ void moment_parts(const float* values, int count, double* partial) {
  double sum = 0, squares = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < count; i += gridDim.x * threads) {
    const double one = values[i];
    sum += one;
    squares += one * one;
  }
  const double whole = block_sum<threads>(sum), all_squares = block_sum<threads>(squares);
  if (threadIdx.x != 0) return;
  partial[2 * blockIdx.x] = whole;
  partial[2 * blockIdx.x + 1] = all_squares;
}

__global__ void moments_of(const double* partial, int count, double* moments) {
  const double sum = block_sum<reduce_blocks>(partial[2 * threadIdx.x]);
  const double squares = block_sum<reduce_blocks>(partial[2 * threadIdx.x + 1]);
  if (threadIdx.x != 0) return;
  const double mean = sum / count;
  const double rest = squares - sum * mean;
  moments[0] = mean;
  moments[1] = sqrt((rest > 0 ? rest : 0) / (count > 1 ? count - 1 : 1)) + 1e-8;
}

__global__ void normalised(float* values, int count, const double* moments) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < count) values[i] = static_cast<float>((values[i] - moments[0]) / moments[1]);
}

__global__ void folded(Collecting c) {
  const auto& a = c.arrays;
  double ended = 0, rewards = 0, lengths = 0, steps = 0;
  for (int i = threadIdx.x; i < c.shape.environments; i += 1024) {
    ended += a.ended[i];
    rewards += a.ended_rewards[i];
    lengths += a.ended_lengths[i];
    steps += a.step_rewards[i];
  }
  ended = block_sum<1024>(ended);
  rewards = block_sum<1024>(rewards);
  lengths = block_sum<1024>(lengths);
  steps = block_sum<1024>(steps);
  if (threadIdx.x != 0) return;
  a.collected->episodes = static_cast<float>(ended);
  a.collected->episode_reward = static_cast<float>(rewards);
  a.collected->episode_length = static_cast<float>(lengths);
  a.collected->step_reward = static_cast<float>(steps / c.shape.samples / c.world);
  a.collected->warned = *a.warned;
}

}  // namespace

void begin_iteration(const Collecting& c, cudaStream_t stream) {
  const int count = c.shape.environments > c.shape.actions ? c.shape.environments : c.shape.actions;
  cleared<<<blocks_for(count), threads, 0, stream>>>(c);
}

void place_observations(const Collecting& c, workers::GpuType type, int step, cudaStream_t stream) {
  workers::with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    placed<T><<<blocks_for(c.shape.environments, threads / 32), threads, 0, stream>>>(c, step);
  });
}

void bias_elu(workers::GpuType type, void* values, const float* bias, int rows, int columns, cudaStream_t stream) {
  const auto packs = static_cast<std::int64_t>(rows) * columns / 8;
  const auto blocks = blocks_for(packs) < 8192 ? blocks_for(packs) : 8192;
  workers::with_gpu_type(type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    activated<T><<<blocks, threads, 0, stream>>>(static_cast<T*>(values), bias, packs, columns);
  });
}

void act(const Collecting& c, int step, cudaStream_t stream) {
  acted<<<blocks_for(c.shape.environments), threads, 0, stream>>>(c, step);
}

void count_step(const Collecting& c, int step, cudaStream_t stream) {
  counted<<<blocks_for(c.shape.environments), threads, 0, stream>>>(c, step);
}

void end_collection(const Collecting& c, cudaStream_t stream) {
  const auto& a = c.arrays;
  folded<<<1, 1024, 0, stream>>>(c);
  estimated<<<blocks_for(c.shape.environments), threads, 0, stream>>>(c);
  moment_parts<<<reduce_blocks, threads, 0, stream>>>(a.advantages, c.shape.samples, a.partial);
  moments_of<<<1, reduce_blocks, 0, stream>>>(a.partial, c.shape.samples, a.moments);
  normalised<<<blocks_for(c.shape.samples), threads, 0, stream>>>(a.advantages, c.shape.samples, a.moments);
}

}  // namespace rv::ppo
