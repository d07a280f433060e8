// For gpu_ppo.sh: the learner on a GPU against the learner on the host, on the same data; the same bits twice and after
// a restart; memory as predicted. A line for each check; exits 1 if one fails.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/workers/recording.h"
#include "workers/devices/cuda_call.h"
#include "workers/envs/quadruped.h"
#include "workers/ppo/layout.h"
#include "workers/ppo/learner.h"
#include "workers/ppo/memory_check.h"

namespace {

using namespace rv;
using namespace rv::ppo;
using workers::cuda_call;

/// Says what was written down before, whatever is done, on either device.
class RecordedEnvironments : public envs::Environments {
 public:
  RecordedEnvironments(int count, bool on_gpu) : count_(static_cast<std::size_t>(count)), on_gpu_(on_gpu) {
    const auto seen = tests::recording(count_, steps, width);
    observations_ = place(seen.observations);
    rewards_ = place(seen.rewards);
    terminated_ = place(seen.terminated);
    timed_out_ = place(seen.timed_out);
  }
  ~RecordedEnvironments() override {
    for (auto* const data : owned_) on_gpu_ ? static_cast<void>(cudaFree(data)) : ::operator delete(data);
  }
  RecordedEnvironments(const RecordedEnvironments&) = delete;
  RecordedEnvironments& operator=(const RecordedEnvironments&) = delete;

  envs::Sizes sizes() const override { return {static_cast<int>(count_), static_cast<int>(width), 12}; }
  std::size_t bytes() const override { return 0; }
  void reset(float* observations, void* stream) override { copy(observations, observations_, count_ * width, stream); }
  void step(const envs::StepBuffers& b, void* stream) override {
    copy(b.observations, observations_ + (at_ + 1) * count_ * width, count_ * width, stream);
    copy(b.rewards, rewards_ + at_ * count_, count_, stream);
    copy(b.terminated, terminated_ + at_ * count_, count_, stream);
    copy(b.timed_out, timed_out_ + at_ * count_, count_, stream);
    at_ = (at_ + 1) % steps;
  }
  std::vector<std::byte> state() const override { return {}; }
  void restore(const std::vector<std::byte>&) override {}
  Figures figures() override {
    const auto unknown = std::numeric_limits<double>::quiet_NaN();
    return {unknown, unknown, unknown};
  }

 private:
  static constexpr std::size_t steps = 24, width = 235;

  template <class T>
  T* place(const std::vector<T>& all) {
    void* data = nullptr;
    const auto bytes = all.size() * sizeof(T);
    if (on_gpu_)
      cuda_call(cudaMalloc(&data, bytes), "allocate GPU memory");
    else
      data = ::operator new(bytes);
    cuda_call(on_gpu_ ? cudaMemcpy(data, all.data(), bytes, cudaMemcpyHostToDevice) : cudaSuccess, "copy to the GPU");
    if (!on_gpu_) std::copy(all.begin(), all.end(), static_cast<T*>(data));
    owned_.push_back(data);
    return static_cast<T*>(data);
  }
  template <class T>
  void copy(T* to, const T* from, std::size_t count, void* stream) {
    if (!on_gpu_) {
      std::copy_n(from, count, to);
      return;
    }
    cuda_call(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToDevice, static_cast<cudaStream_t>(stream)),
              "copy on the GPU");
  }

  std::size_t count_, at_ = 0;
  bool on_gpu_;
  float *observations_ = nullptr, *rewards_ = nullptr;
  std::uint8_t *terminated_ = nullptr, *timed_out_ = nullptr;
  std::vector<void*> owned_;
};

bool failed = false;

void check(const std::string& name, bool holds, const std::string& figures) {
  fmt::print("{:<44} {:<7} {}\n", name, holds ? "ok" : "NOT_OK", figures);
  std::fflush(stdout);
  if (!holds) failed = true;
}

LearnerRequest request_of(const std::string& precision) {
  LearnerRequest request;
  request.seed = 3;
  request.precision = precision;
  return request;
}

struct Iterated {
  Outcome outcome;
  std::vector<float> parameters, gradients;
};

Iterated iterate(bool on_gpu, LearnerRequest request, int environments, int mini_batches, int epochs) {
  request.settings.mini_batches = mini_batches;
  request.settings.epochs = epochs;
  RecordedEnvironments recorded(environments, on_gpu);
  const auto learner = (on_gpu ? gpu_learner : host_learner)(recorded, request);
  Iterated done;
  done.outcome = learner->iterate(false);
  done.parameters = learner->parameters();
  done.gradients = learner->gradients();
  return done;
}

void compare_with_host(const std::string& precision, double gradient_limit, double update_limit) {
  const auto request = request_of(precision);
  const int environments = 64;
  const auto layout = layout_of({environments, 235, 12}, request.settings.hidden);
  const auto start = initial_parameters(layout, 1, request.seed);
  const auto host = iterate(false, request, environments, 1, 1), gpu = iterate(true, request, environments, 1, 1);
  const double apart = tests::apart(gpu.gradients, host.gradients, std::vector<float>(host.gradients.size()));
  check(
      precision + ": one gradient, GPU and host", apart < gradient_limit,
      fmt::format("relative distance {:.2e}, value loss {:.6f} and {:.6f}, step reward {:.6f} and {:.6f}", apart,
                  gpu.outcome.value_loss, host.outcome.value_loss, gpu.outcome.step_reward, host.outcome.step_reward));
  const auto whole_host = iterate(false, request, environments, 4, 5),
             whole = iterate(true, request, environments, 4, 5);
  const auto seen = tests::recording(environments, 24, 235);
  const auto from = tests::said_by(layout, start, seen), on_host = tests::said_by(layout, whole_host.parameters, seen),
             on_gpu = tests::said_by(layout, whole.parameters, seen);
  const double means = tests::apart(on_gpu.means, on_host.means, from.means);
  const double values = tests::apart(on_gpu.values, on_host.values, from.values);
  check(
      precision + ": twenty updates, GPU and host", means < update_limit && values < update_limit,
      fmt::format("actions apart by {:.2e} of their way, values by {:.2e}, parameters by {:.2e}, KL {:.5f} and {:.5f}, "
                  "rate {:.1e} and {:.1e}, episodes {} and {}",
                  means, values, tests::apart(whole.parameters, whole_host.parameters, start), whole.outcome.kl,
                  whole_host.outcome.kl, whole.outcome.rate, whole_host.outcome.rate, whole.outcome.episodes,
                  whole_host.outcome.episodes));
}

std::vector<float> walk(const std::string& precision, int environments, int iterations, int stop_after) {
  const auto request = request_of(precision);
  const envs::QuadrupedOptions options{environments, true, request.seed, envs::Device::cuda, 0, 0};
  auto quadrupeds = envs::make_quadruped(options);
  auto learner = gpu_learner(*quadrupeds, request);
  for (int i = 0; i < iterations; ++i) {
    if (i == stop_after) {
      const auto state = learner->state();
      learner.reset();
      quadrupeds = envs::make_quadruped(options);
      learner = gpu_learner(*quadrupeds, request);
      learner->restore(state);
    }
    learner->iterate(false);
  }
  return learner->parameters();
}

void check_memory(int environments) {
  const auto request = request_of("tf32");
  const envs::QuadrupedOptions options{environments, true, 1, envs::Device::cuda, 0, 0};
  const auto before = *workers::available_gpu_memory();
  auto quadrupeds = envs::make_quadruped(options);
  auto learner = gpu_learner(*quadrupeds, request);
  learner->iterate(false);
  const auto taken = before.free - workers::available_gpu_memory()->free;
  const auto predicted = envs::quadruped_bytes(options) + gpu_learner_bytes(quadrupeds->sizes(), request);
  check(fmt::format("memory of {} environments", environments), taken <= predicted && predicted < taken + (512U << 20),
        fmt::format("predicted {} MiB, taken {} MiB", predicted >> 20, taken >> 20));
}

}  // namespace

int main() {
  try {
    cuda_call(cudaSetDevice(0), "use the GPU");
    check_memory(8192);
    // After twenty updates the host's own float and double are apart by 2e-5 of their way, and by 1e-4 in the
    // parameters: Adam turns a gradient's sign into a step, so parameters that hardly matter go either way. Noise of
    // 5e-4 and 5e-3 in the gradients, as tf32 and bf16 have it, makes 4e-3 and 2e-2; a rate that is wrong by 1 % makes
    // 2e-2.
    compare_with_host("fp32", 1e-4, 1e-3);
    compare_with_host("tf32", 2e-2, 2e-2);
    compare_with_host("bf16", 1e-1, 1e-1);
    for (const std::string precision : {"tf32", "bf16"}) {
      const auto once = walk(precision, 1000, 4, -1);
      check(precision + ": the same seed, the same bits", once == walk(precision, 1000, 4, -1), "4 iterations, twice");
      check(precision + ": after a restart the same bits", once == walk(precision, 1000, 4, 2), "2 iterations, then 2");
    }
  } catch (const std::exception& error) {
    check("all checks ran", false, error.what());
  }
  return failed ? 1 : 0;
}
