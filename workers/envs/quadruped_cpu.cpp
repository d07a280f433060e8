#include <algorithm>
#include <exception>
#include <new>
#include <stdexcept>
#include <thread>

#include "workers/devices/out_of_memory.h"
#include "workers/envs/quadruped_paths.h"
#include "workers/envs/task/control_step.h"

namespace rv::envs {
namespace {

constexpr WholeTeam team;

class CpuQuadruped : public Environments {
 public:
  explicit CpuQuadruped(const QuadrupedParts& parts)
      : parts_(parts),
        heights_(parts.settings.rough ? make_terrain(parts.settings.seed) : std::vector<float>()),
        words_(store_words(parts.environments)) {
    if (parts_.settings.rough) field_ = {heights_.data(), TerrainMap::rows, TerrainMap::columns, TerrainMap::cell};
    const auto most = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    threads_ = parts_.threads > 0 ? parts_.threads : most;
  }

  Sizes sizes() const override {
    return {parts_.environments, observations_of(parts_.settings.rough), Task::joint_count};
  }

  std::size_t bytes() const override {
    return words_.size() * sizeof(std::uint32_t) + terrain_bytes(parts_.settings.rough);
  }

  void reset(float* observations, void* /*stream*/) override {
    for_each([&](int i) {
      Environment<Model::legs> e;
      begin_first(e, parts_.settings, field_, i, team);
      save(e, store(), i, team);
      observe(e, observations, i);
    });
  }

  void step(const StepBuffers& buffers, void* /*stream*/) override {
    for_each([&](int i) {
      Environment<Model::legs> e;
      load(e, store(), i, team);
      float action[Model::legs][3];
      for (int joint = 0; joint < Task::joint_count; ++joint) {
        action[joint / 3][joint % 3] = buffers.actions[static_cast<std::size_t>(i) * Task::joint_count + joint];
      }
      const Outcome outcome = control_step(e, action, parts_.settings, field_, i, team);
      save(e, store(), i, team);
      buffers.rewards[i] = outcome.reward;
      buffers.terminated[i] = outcome.terminated;
      buffers.timed_out[i] = outcome.timed_out;
      observe(e, buffers.observations, i);
    });
  }

  std::vector<std::byte> state() const override { return packed_state(parts_, words_); }
  void restore(const std::vector<std::byte>& state) override { words_ = unpacked_state(parts_, state); }

  Figures figures() override {
    const auto n = static_cast<std::size_t>(parts_.environments);
    const Store all = store();
    float* const sums = all.base + (Store::base_numbers - 3) * n;
    const std::vector<std::uint32_t> levels(all.counts + 2 * n, all.counts + 3 * n);
    const auto out = figures_of({sums, sums + 3 * n}, levels, parts_.settings.rough);
    std::fill(sums, sums + 3 * n, 0.0F);
    return out;
  }

 private:
  Store store() { return store_at(words_.data(), parts_.environments); }

  void observe(const Environment<Model::legs>& e, float* observations, int i) {
    float* const row = observations + static_cast<std::size_t>(i) * static_cast<std::size_t>(sizes().observations);
    observe_body(row, e, parts_.settings, i, team);
    if (!parts_.settings.rough) return;
    const Viewpoint view = viewpoint(store(), parts_.settings, i);
    for (int sample = 0; sample < Task::heights; ++sample) {
      row[Task::body_observations + sample] = observe_height(view, field_, sample, parts_.settings.noise);
    }
  }

  /// Environments are independent, so the number of threads does not change any bit. Starting a thread pays off from
  /// about ten environments on.
  template <class Work>
  void for_each(const Work& work) {
    const int count = std::clamp(parts_.environments / 8, 1, threads_);
    const auto part = [&](int thread) {
      const auto from = static_cast<int>(std::int64_t{parts_.environments} * thread / count);
      const auto to = static_cast<int>(std::int64_t{parts_.environments} * (thread + 1) / count);
      for (int i = from; i < to; ++i) work(i);
    };
    std::vector<std::jthread> others;
    for (int thread = 1; thread < count; ++thread) others.emplace_back(part, thread);
    part(0);
  }

  QuadrupedParts parts_;
  std::vector<float> heights_;
  HeightField field_;
  std::vector<std::uint32_t> words_;
  int threads_;
};

}  // namespace

std::unique_ptr<Environments> cpu_quadruped(const QuadrupedParts& parts) {
  try {
    return std::make_unique<CpuQuadruped>(parts);
  } catch (const std::bad_alloc&) {
    throw workers::OutOfMemory("allocate the host's memory");
  } catch (const std::length_error&) {
    throw workers::OutOfMemory("allocate the host's memory");
  }
}

}  // namespace rv::envs
