#include <algorithm>
#include <stdexcept>

#include "workers/devices/cuda_call.h"
#include "workers/envs/quadruped_paths.h"
#include "workers/envs/task/control_step.h"
#include "workers/envs/terrain/terrain.h"

namespace rv::envs {
namespace {

using workers::cuda_call;

// One warp per block: even 1,024 robots use nearly every multiprocessor.
constexpr int robots_a_block = 8, lanes = robots_a_block * Model::legs;

/// The parameters of a kernel's environments.
struct World {
  Store store;
  TaskSettings settings;
  HeightField field;
};

/// The robot of a lane. Lanes beyond the last robot compute it again, since all lanes of a warp take part in sums, but
/// write nothing.
struct Seat {
  int index;
  bool taken;
  LaneTeam team;
};

__device__ Seat seat_of_lane(int environments) {
  const int lane = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), index = lane / Model::legs;
  return {min(index, environments - 1), index < environments, {lane % Model::legs}};
}

/// Writes the block's rows of 48 observations; neighbouring lanes write to neighbouring addresses.
__device__ void write_rows(const float* rows, float* observations, int environments, int width) {
  __syncthreads();
  const int first = static_cast<int>(blockIdx.x) * robots_a_block;
  for (int i = static_cast<int>(threadIdx.x); i < robots_a_block * Task::body_observations; i += lanes) {
    const int robot = first + i / Task::body_observations;
    if (robot >= environments) continue;
    observations[static_cast<std::size_t>(robot) * width + i % Task::body_observations] = rows[i];
  }
}

__global__ void __launch_bounds__(lanes) reset_robots(World world, float* observations) {
  __shared__ float rows[robots_a_block * Task::body_observations];
  const Seat seat = seat_of_lane(world.store.environments);
  Environment<1> e;
  begin_first(e, world.settings, world.field, seat.index, seat.team);
  if (seat.taken) save(e, world.store, seat.index, seat.team);
  observe_body(rows + threadIdx.x / Model::legs * Task::body_observations, e, world.settings, seat.index, seat.team);
  write_rows(rows, observations, world.store.environments, observations_of(world.settings.rough));
}

__global__ void __launch_bounds__(lanes) step_robots(World world, StepBuffers buffers) {
  __shared__ float rows[robots_a_block * Task::body_observations];
  const Seat seat = seat_of_lane(world.store.environments);
  Environment<1> e;
  load(e, world.store, seat.index, seat.team);
  float action[1][3];
#pragma unroll
  for (int j = 0; j < 3; ++j) {
    action[0][j] = buffers.actions[static_cast<std::size_t>(seat.index) * Task::joint_count + 3 * seat.team.lane + j];
  }
  const Outcome outcome = control_step(e, action, world.settings, world.field, seat.index, seat.team);
  // All lanes of a robot have read it before one writes it: the sums of the step synchronise them.
  if (seat.taken) {
    save(e, world.store, seat.index, seat.team);
    if (seat.team.leads()) {
      buffers.rewards[seat.index] = outcome.reward;
      buffers.terminated[seat.index] = outcome.terminated;
      buffers.timed_out[seat.index] = outcome.timed_out;
    }
  }
  observe_body(rows + threadIdx.x / Model::legs * Task::body_observations, e, world.settings, seat.index, seat.team);
  write_rows(rows, buffers.observations, world.store.environments, observations_of(world.settings.rough));
}

/// Observes the ground around one robot, with one warp.
__global__ void look_at_ground(World world, float* observations) {
  const int robot = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32), lane = threadIdx.x % 32;
  if (robot >= world.store.environments) return;
  const Viewpoint view = viewpoint(world.store, world.settings, robot);
  float* const row = observations + static_cast<std::size_t>(robot) * observations_of(true) + Task::body_observations;
  for (int sample = lane; sample < Task::heights; sample += 32) {
    row[sample] = observe_height(view, world.field, sample, world.settings.noise);
  }
}

int ready(int gpu) {
  cuda_call(cudaSetDevice(gpu), "choose the GPU");
  return gpu;
}

class CudaQuadruped : public Environments {
 public:
  explicit CudaQuadruped(const QuadrupedParts& parts)
      : parts_(parts),
        gpu_(ready(parts.gpu)),
        heights_(std::max<std::size_t>(terrain_bytes(parts.settings.rough), 4)),
        words_(store_words(parts.environments) * sizeof(std::uint32_t)) {
    world_.settings = parts.settings;
    world_.store = store_at(words_.as(), parts.environments);
    cuda_call(cudaMemset(words_.as(), 0, store_words(parts.environments) * sizeof(std::uint32_t)), "clear the store");
    if (!parts.settings.rough) return;
    const auto heights = make_terrain(parts.settings.seed);
    cuda_call(cudaMemcpy(heights_.as(), heights.data(), terrain_bytes(true), cudaMemcpyHostToDevice),
              "copy the terrain");
    world_.field = {heights_.as<float>(), TerrainMap::rows, TerrainMap::columns, TerrainMap::cell};
  }

  Sizes sizes() const override {
    return {parts_.environments, observations_of(parts_.settings.rough), Task::joint_count};
  }

  std::size_t bytes() const override {
    return store_words(parts_.environments) * sizeof(std::uint32_t) + terrain_bytes(parts_.settings.rough);
  }

  void reset(float* observations, void* stream) override {
    reset_robots<<<blocks(), lanes, 0, static_cast<cudaStream_t>(stream)>>>(world_, observations);
    look(observations, stream);
  }

  void step(const StepBuffers& buffers, void* stream) override {
    step_robots<<<blocks(), lanes, 0, static_cast<cudaStream_t>(stream)>>>(world_, buffers);
    look(buffers.observations, stream);
  }

  std::vector<std::byte> state() const override {
    std::vector<std::uint32_t> words(store_words(parts_.environments));
    settle();
    cuda_call(cudaMemcpy(words.data(), words_.as(), words.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost),
              "copy the environments back");
    return packed_state(parts_, words);
  }

  void restore(const std::vector<std::byte>& state) override {
    const auto words = unpacked_state(parts_, state);
    settle();
    cuda_call(cudaMemcpy(words_.as(), words.data(), words.size() * sizeof(std::uint32_t), cudaMemcpyHostToDevice),
              "copy the environments");
  }

  Figures figures() override {
    const auto n = static_cast<std::size_t>(parts_.environments);
    float* const sums = world_.store.base + (Store::base_numbers - 3) * n;
    std::vector<float> summed(3 * n);
    std::vector<std::uint32_t> levels(n);
    settle();
    cuda_call(cudaMemcpy(summed.data(), sums, 3 * n * sizeof(float), cudaMemcpyDeviceToHost), "copy the sums back");
    cuda_call(cudaMemcpy(levels.data(), world_.store.counts + 2 * n, n * sizeof(std::uint32_t), cudaMemcpyDeviceToHost),
              "copy the levels back");
    cuda_call(cudaMemset(sums, 0, 3 * n * sizeof(float)), "clear the sums");
    settle();
    return figures_of(summed, levels, parts_.settings.rough);
  }

 private:
  unsigned blocks() const { return static_cast<unsigned>((parts_.environments + robots_a_block - 1) / robots_a_block); }

  void look(float* observations, void* stream) {
    cuda_call(cudaGetLastError(), "launch the robots' kernel");
    if (!parts_.settings.rough) return;
    const auto of_robots = static_cast<unsigned>((parts_.environments + 3) / 4);
    look_at_ground<<<of_robots, 128, 0, static_cast<cudaStream_t>(stream)>>>(world_, observations);
    cuda_call(cudaGetLastError(), "launch the ground's kernel");
  }

  /// Waits for all streams that use the environments.
  void settle() const {
    cuda_call(cudaSetDevice(gpu_), "choose the GPU");
    cuda_call(cudaDeviceSynchronize(), "wait for the GPU");
  }

  QuadrupedParts parts_;
  int gpu_;
  workers::DeviceMemory heights_, words_;
  World world_;
};

}  // namespace

std::unique_ptr<Environments> cuda_quadruped(const QuadrupedParts& parts) {
  return std::make_unique<CudaQuadruped>(parts);
}

}  // namespace rv::envs
