// One training step of small networks on a GPU against the same in double on the host: losses, every parameter's
// gradient, and the parameters after the step. usage: network_check [WORD]: those whose names have it; prints a line
// for each, exits 1 if one is off. network_check profile [MODEL:BATCH:PRECISION…]: where the time of a step goes,
// beside what the GPU can do.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/workers/gpu/exchange_check.h"
#include "tests/workers/gpu/network_profile.h"
#include "tests/workers/gpu/network_reference.h"
#include "workers/training/gpu/gpu_network.h"

using namespace rv::workers;

namespace {

int failed = 0;

/// How far the parameters are from where these gradients bring them.
double update_off(const Reference& of, const Step& step, const std::vector<float>& gradients) {
  double most = 0;
  for (const auto& p : of.network.parameters) {
    for (std::size_t i = p.offset; i < p.offset + p.count; ++i) {
      const double should = static_cast<double>(of.start[i]) - 0.01 * static_cast<double>(gradients[i]);
      most = std::max(most, std::abs(should - static_cast<double>(step.parameters[i])));
    }
  }
  return most;
}

double statistics_off(const Reference& of, const Step& step) {
  double most = 0;
  for (std::size_t i = 0; i < of.running.size(); ++i) {
    most = std::max(most,
                    std::abs(static_cast<double>(step.running[i]) - of.running[i]) / (std::abs(of.running[i]) + 0.1));
  }
  return most;
}

/// Bit for bit, where there are parameters.
bool same_bits_in(const Network& network, const std::vector<float>& one, const std::vector<float>& other) {
  return std::all_of(network.parameters.begin(), network.parameters.end(), [&](const auto& p) {
    return std::memcmp(one.data() + p.offset, other.data() + p.offset, p.count * sizeof(float)) == 0;
  });
}

/// `limit`: of the worst parameter's gradient, the loss and the running statistics. `same_bits`: of ways to compute
/// that give the same bits, which is looked at then.
void check(const std::string& name, const Reference& of, GpuPrecision precision, double limit, bool same_bits) {
  GpuNetwork gpu(of.network, request_for(precision, same_bits));
  const float scale = precision == GpuPrecision::fp16 ? 1024.0F : 1.0F;
  auto step = one_step(of, gpu, precision, scale);
  bool ok = true;
  for (int repeat = 1; same_bits && repeat < 4; ++repeat) {
    const auto again = one_step(of, gpu, precision, scale);
    if (same_bits_in(of.network, step.gradients, again.gradients)) continue;
    ok = false;
    fmt::print("{}: NOT OK, the same step gives other bits\n", name);
  }
  auto gradients = step.gradients;
  for (auto& g : gradients) g /= step.state.loss_scale;
  const auto whole = all_squares(of.network, of.gradients, gradients).ratio();
  const auto worst = worst_parameter(of.network, of.gradients, gradients);
  const auto moved = update_off(of, step, gradients), statistics = statistics_off(of, step);
  // Near ties may fall otherwise where numbers are short.
  const bool same_right = precision != GpuPrecision::fp32 || std::abs(of.right - step.right) < 1e-6;
  ok = ok && worst.first < limit && std::abs(step.loss - of.loss) < limit * (1 + std::abs(of.loss)) && moved < 1e-5 &&
       statistics < limit && same_right;
  if (!ok) ++failed;
  fmt::print(
      "{:<44} {} loss {:.6f} (host {:.6f}), right {:.3f} (host {:.3f}), gradients off {:.2e} (worst {:.2e}: {}; worst "
      "in "
      "float on the host {:.2e}), update off {:.1e}, statistics off {:.1e}, attention: {}\n",
      name, ok ? "ok    " : "NOT OK", step.loss, of.loss, step.right, of.right, whole, worst.first, worst.second,
      of.float_off, moved, statistics, gpu.attention().way);
}

/// A batch that does not fit is refused by what cuDNN takes for a few samples: it must take as much for each of many.
void check_attention_workspace(const std::string& name) {
  const GpuLibraries libraries;
  AttentionShape shape{0, 511, 16, 64, 0.9, CUDNN_DATA_BFLOAT16};
  const auto workspace = attention_workspace(libraries, shape);
  double most = 0;
  for (const std::int64_t samples : {8, 128, 900}) {
    shape.n = samples;
    CudnnGraph back(libraries.cudnn);
    attention_backward(back, shape);
    const auto plans = back.plans({libraries.cudnn_handle, {}}, {true, 6, std::int64_t{1} << 40});
    double least = 1e30;
    for (const auto& plan : plans) least = std::min(least, static_cast<double>(plan.workspace));
    most = std::max(most, std::abs(least / (workspace.backward * static_cast<double>(samples)) - 1));
  }
  const bool ok = workspace.possible && most < 0.01;
  if (!ok) ++failed;
  fmt::print("{:<44} {} {:.0f} bytes a sample, off by {:.2e} of it\n", name, ok ? "ok    " : "NOT OK",
             workspace.backward, most);
}

/// fp16 with a scale that no gradient bears: the step must change nothing, count itself and halve the scale.
void check_overflow(const Reference& of) {
  GpuNetwork gpu(of.network, request_for(GpuPrecision::fp16, false));
  constexpr float scale = 0x1p100F;
  const auto step = one_step(of, gpu, GpuPrecision::fp16, scale);
  const bool same = step.parameters == of.start;
  const bool still = std::all_of(step.momentum.begin(), step.momentum.end(), [](float m) { return m == 0; });
  const bool ok =
      same && still && step.state.skipped == 1 && step.state.good == 0 && step.state.loss_scale == scale / 2;
  if (!ok) ++failed;
  fmt::print("{:<44} {} parameters {}, momentum {}, skipped {}, scale {:g} of {:g}\n", "transformer fp16, overflow",
             ok ? "ok    " : "NOT OK", same ? "as before" : "changed", still ? "as before" : "changed",
             step.state.skipped, step.state.loss_scale, scale);
}

std::string wanted;  ///< in the names of those that are asked for

template <class Check>
void attempt(const std::string& name, Check one) {
  if (name.find(wanted) == std::string::npos) return;
  try {
    one();
  } catch (const std::exception& error) {
    ++failed;
    fmt::print("{:<44} NOT OK {}\n", name, error.what());
  }
  std::fflush(stdout);
}

void check_all() {
  const TransformerSize plain{2, 128, 2, 256, 0}, dropping{2, 128, 2, 256, 0.1};
  const Reference words(transformer(3, 31, 40, plain)), dropped(transformer(3, 31, 40, dropping)),
      longer(transformer(1, 150, 40, {2, 256, 4, 512, 0.1})), odd18(resnet(18, 3, 72, 24)), deep(resnet(50, 4, 72, 10)),
      even18(resnet(18, 4, 72, 24));
  for (const bool same_bits : {false, true}) {
    const auto both = [&](const std::string& name, const Reference& of, GpuPrecision precision, double limit) {
      const auto named = name + (same_bits ? ", same bits" : "");
      attempt(named, [&] { check(named, of, precision, limit, same_bits); });
    };
    both("transformer fp32", words, GpuPrecision::fp32, 1e-5);
    both("transformer fp32, dropout", dropped, GpuPrecision::fp32, 1e-5);
    both("transformer tf32, dropout", dropped, GpuPrecision::tf32, 5e-2);
    both("transformer bf16", words, GpuPrecision::bf16, 2e-1);
    both("transformer fp16", words, GpuPrecision::fp16, 1e-1);
    both("transformer bf16, dropout", dropped, GpuPrecision::bf16, 2e-1);
    both("transformer fp16, dropout", dropped, GpuPrecision::fp16, 1e-1);
    both("transformer bf16, longer", longer, GpuPrecision::bf16, 2e-1);
    both("transformer fp16, longer", longer, GpuPrecision::fp16, 1e-1);
    both("resnet18 fp32", odd18, GpuPrecision::fp32, 1e-4);
    both("resnet50 fp32", deep, GpuPrecision::fp32, 1e-4);
    both("resnet50 tf32", deep, GpuPrecision::tf32, 1e-1);
    both("resnet18 fp16", even18, GpuPrecision::fp16, 5e-2);
    both("resnet18 bf16", even18, GpuPrecision::bf16, 3e-1);
  }
  for (const auto& [name, of, precision] : {std::tuple{"transformer bf16", &words, GpuPrecision::bf16},
                                            {"resnet18 bf16", &even18, GpuPrecision::bf16},
                                            {"resnet18 fp16", &even18, GpuPrecision::fp16}}) {
    for (const int ranks : {2, 8}) {
      const auto named = fmt::format("{}, {} ranks", name, ranks);
      attempt(named, [&, of = of, precision = precision] { failed += check_exchange(named, *of, precision, ranks); });
    }
  }
  attempt("transformer fp16, overflow", [&] { check_overflow(words); });
  attempt("attention's workspace", [] { check_attention_workspace("attention's workspace"); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "profile") {
    std::vector<std::string> loads(argv + 2, argv + argc);
    if (loads.empty()) loads = {"resnet50:64:bf16", "resnet50:64:tf32", "transformer:32:bf16", "transformer:32:tf32"};
    for (const auto& load : loads) print_profile(load);
    return 0;
  }
  if (argc > 1) wanted = argv[1];
  check_all();
  fmt::print("{} not ok\n", failed);
  return failed > 0 ? 1 : 0;
}
