// The quadruped on a GPU against the CPU, and how fast it steps: for gpu_envs.sh.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "workers/devices/cuda_call.h"
#include "workers/envs/numbers/random.h"
#include "workers/envs/quadruped.h"

namespace rv::envs {
namespace {

using workers::cuda_call;
using workers::DeviceMemory;

int failures = 0;

void check(bool good, const std::string& what) {
  std::printf("%-8s %s\n", good ? "ok" : "NOT_OK", what.c_str());
  if (!good) ++failures;
}

/// Environments on a device with the buffers of their steps.
class Rig {
 public:
  explicit Rig(QuadrupedOptions options)
      : environments_(make_quadruped(options)),
        sizes_(environments_->sizes()),
        actions_(std::size_t{4} * sizes_.environments * sizes_.actions),
        observations_(std::size_t{4} * sizes_.environments * sizes_.observations),
        rewards_(std::size_t{4} * sizes_.environments),
        flags_(std::size_t{2} * sizes_.environments) {}

  Environments& environments() { return *environments_; }
  Sizes sizes() const { return sizes_; }
  cudaStream_t stream() const { return timer_.stream(); }

  void reset() { environments_->reset(observations_.as<float>(), stream()); }
  void act(const std::vector<float>& actions) {
    cuda_call(cudaMemcpy(actions_.as(), actions.data(), 4 * actions.size(), cudaMemcpyHostToDevice), "copy actions");
  }
  void step() {
    auto* const flags = flags_.as<std::uint8_t>();
    environments_->step(
        {actions_.as<float>(), observations_.as<float>(), rewards_.as<float>(), flags, flags + sizes_.environments},
        stream());
  }
  double seconds(const std::function<void()>& work) { return timer_.seconds(work); }

  struct Answer {
    std::vector<float> observations, rewards;
    std::vector<std::uint8_t> flags;
    bool operator==(const Answer&) const = default;
  };
  Answer answer() const {
    const auto n = static_cast<std::size_t>(sizes_.environments);
    Answer out = {std::vector<float>(n * static_cast<std::size_t>(sizes_.observations)), std::vector<float>(n),
                  std::vector<std::uint8_t>(2 * n)};
    cuda_call(cudaStreamSynchronize(stream()), "wait for the GPU");
    copy(out.observations, observations_);
    copy(out.rewards, rewards_);
    copy(out.flags, flags_);
    return out;
  }

 private:
  template <class T>
  static void copy(std::vector<T>& to, const DeviceMemory& from) {
    cuda_call(cudaMemcpy(to.data(), from.as(), to.size() * sizeof(T), cudaMemcpyDeviceToHost), "copy back");
  }

  std::unique_ptr<Environments> environments_;
  Sizes sizes_;
  DeviceMemory actions_, observations_, rewards_, flags_;
  workers::Timer timer_;
};

std::vector<float> random_actions(int environments, int step, int first = 0) {
  std::vector<float> out(static_cast<std::size_t>(environments) * 12);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto index = static_cast<std::uint32_t>(i + static_cast<std::size_t>(first) * 12);
    out[i] = uniform(philox({{index, static_cast<std::uint32_t>(step), 0, 0}}, 99).word[0], -1.5F, 1.5F);
  }
  return out;
}

QuadrupedOptions options(int environments, bool rough, Device device) {
  QuadrupedOptions out;
  out.environments = environments;
  out.rough = rough;
  out.seed = 5;
  out.device = device;
  return out;
}

struct Errors {
  std::vector<float> apart;  ///< of every observation
  int flags = 0, steps = 0;
  double rewards = 0;
};

/// One step of both from the same state, repeatedly: the errors of one step, not of a diverging motion.
Errors step_both(int environments, bool rough, int steps) {
  Rig gpu(options(environments, rough, Device::cuda));
  const auto cpu = make_quadruped(options(environments, rough, Device::cpu));
  const auto n = static_cast<std::size_t>(environments);
  std::vector<float> observations(n * static_cast<std::size_t>(gpu.sizes().observations)), rewards(n);
  std::vector<std::uint8_t> flags(2 * n);
  cpu->reset(observations.data(), nullptr);
  Errors errors;
  for (int step = 0; step < steps; ++step) {
    const auto actions = random_actions(environments, step);
    gpu.environments().restore(cpu->state());
    gpu.act(actions);
    gpu.step();
    cpu->step({actions.data(), observations.data(), rewards.data(), flags.data(), flags.data() + n}, nullptr);
    const auto answer = gpu.answer();
    for (std::size_t i = 0; i < n; ++i) {
      if (answer.flags[i] != flags[i] || answer.flags[n + i] != flags[n + i]) {
        ++errors.flags;
        continue;
      }
      errors.rewards = std::max(errors.rewards, static_cast<double>(std::abs(answer.rewards[i] - rewards[i])));
      const auto width = static_cast<std::size_t>(gpu.sizes().observations);
      for (std::size_t k = i * width; k < (i + 1) * width; ++k) {
        errors.apart.push_back(std::abs(answer.observations[k] - observations[k]));
      }
    }
    errors.steps += environments;
  }
  return errors;
}

void agreement(bool rough) {
  Errors errors = step_both(512, rough, 150);
  std::sort(errors.apart.begin(), errors.apart.end());
  const auto at = [&](double part) {
    return static_cast<double>(
        errors.apart[static_cast<std::size_t>(part * static_cast<double>(errors.apart.size() - 1))]);
  };
  std::printf(
      "%s ground, %d steps: observations apart by %.1e (median) %.1e (99 %%) %.1e (99.99 %%) %.1e (most), rewards "
      "%.1e, "
      "%d other flags\n",
      rough ? "rough" : "flat", errors.steps, at(0.5), at(0.99), at(0.9999), at(1), errors.rewards, errors.flags);
  check(at(0.99) < 1e-4 && at(0.9999) < 3e-3, "CPU and GPU agree on a step");
  check(errors.flags <= errors.steps / 10000, "CPU and GPU end the same episodes");
}

/// The same bits a second time, from a restored state, and when two ranks share the environments.
void same_bits() {
  constexpr int environments = 1000, steps = 60;
  Rig whole(options(environments, true, Device::cuda)), again(options(environments, true, Device::cuda));
  auto half = options(environments / 2, true, Device::cuda);
  half.first_environment = environments / 2;
  Rig second(half);
  for (auto* const rig : {&whole, &again, &second}) rig->reset();
  std::vector<std::byte> saved;
  for (int step = 0; step < steps; ++step) {
    if (step == steps / 2) saved = whole.environments().state();
    whole.act(random_actions(environments, step));
    again.act(random_actions(environments, step));
    second.act(random_actions(environments / 2, step, environments / 2));
    for (auto* const rig : {&whole, &again, &second}) rig->step();
  }
  const auto first = whole.answer(), rank = second.answer();
  check(first == again.answer() && whole.environments().state() == again.environments().state(),
        "same seed, same bits");
  const auto width = static_cast<std::size_t>(whole.sizes().observations) * environments / 2;
  check(std::equal(rank.observations.begin(), rank.observations.end(),
                   first.observations.begin() + static_cast<long>(width)),
        "a second rank's environments are those of one rank");
  again.environments().restore(saved);
  for (int step = steps / 2; step < steps; ++step) {
    again.act(random_actions(environments, step));
    again.step();
  }
  check(first == again.answer(), "a restored state goes on with the same bits");
}

/// Robots commanded only to stand: they do.
void standing() {
  Rig rig(options(1024, false, Device::cuda));
  rig.reset();
  rig.act(std::vector<float>(1024 * 12, 0));
  int fallen = 0;
  for (int step = 0; step < 300; ++step) {
    rig.step();
    const auto flags = rig.answer().flags;
    fallen += static_cast<int>(std::count(flags.begin(), flags.begin() + 1024, 1));
  }
  std::printf("1,024 robots stand 6 s, pushed and at random masses: %d falls\n", fallen);
  check(fallen < 100, "a robot stands");
}

void throughput(bool rough, const std::vector<int>& counts) {
  std::printf("\n%s ground\n%12s %12s %14s %16s\n", rough ? "rough" : "flat", "environments", "ms a step", "steps/s",
              "MB of the GPU");
  for (const int count : counts) {
    Rig rig(options(count, rough, Device::cuda));
    rig.reset();
    rig.act(random_actions(count, 0));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t run = nullptr;
    cuda_call(cudaStreamBeginCapture(rig.stream(), cudaStreamCaptureModeThreadLocal), "begin a graph");
    for (int i = 0; i < 24; ++i) rig.step();
    cuda_call(cudaStreamEndCapture(rig.stream(), &graph), "end a graph");
    cuda_call(cudaGraphInstantiate(&run, graph, 0), "make a graph");
    const auto once = [&] { cuda_call(cudaGraphLaunch(run, rig.stream()), "launch a graph"); };
    for (int i = 0; i < 4; ++i) rig.seconds(once);
    std::vector<double> times(11);
    for (auto& time : times) time = rig.seconds(once) / 24;
    std::sort(times.begin(), times.end());
    std::printf("%12d %12.4f %14.0f %16.1f\n", count, 1e3 * times[5], count / times[5],
                static_cast<double>(rig.environments().bytes()) / 1e6);
    std::fflush(stdout);
    cudaGraphExecDestroy(run);
    cudaGraphDestroy(graph);
  }
}

int all() {
  cudaDeviceProp gpu;
  cuda_call(cudaGetDeviceProperties(&gpu, 0), "ask for the GPU");
  std::printf("%s, %d multiprocessors\n", gpu.name, gpu.multiProcessorCount);
  agreement(false);
  agreement(true);
  same_bits();
  standing();
  throughput(false, {1024, 4096, 16384, 65536, 262144});
  throughput(true, {1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144});
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace rv::envs

int main() {
  try {
    return rv::envs::all();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "envs_check: %s\n", error.what());
    return 3;
  }
}
