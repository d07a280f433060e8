// One training step of small networks on a GPU against the same in double on the host: losses, every parameter's
// gradient, and the parameters after the step. usage: network_check; prints a line for each, exits 1 if one is off.
// network_check profile [MODEL:BATCH:PRECISION…]: where the time of a step goes, beside what the GPU can do.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "workers/devices/cuda_call.h"
#include "workers/devices/random_input.h"
#include "workers/training/data/data_source.h"
#include "workers/training/gpu/gpu_network.h"
#include "workers/training/gpu/kernels/input_kernels.h"
#include "workers/training/host/host_network.h"

using namespace rv::workers;

namespace {

int failed = 0;

double distance(const std::vector<double>& expected, const std::vector<float>& got, std::size_t from,
                std::size_t count) {
  double difference = 0, whole = 0;
  for (std::size_t i = from; i < from + count; ++i) {
    const double off = expected[i] - static_cast<double>(got[i]);
    difference += off * off;
    whole += expected[i] * expected[i];
  }
  return std::sqrt(difference / (whole + 1e-30));
}

void put(void* to, const void* from, std::size_t bytes) {
  cuda_call(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "put");
}

std::vector<float> read(const float* from, std::size_t count) {
  std::vector<float> all(count);
  cuda_call(cudaMemcpy(all.data(), from, count * sizeof(float), cudaMemcpyDeviceToHost), "read");
  return all;
}

/// `same_bits`: of ways to compute that give the same bits, which is looked at then.
void check(const std::string& name, const Network& network, GpuPrecision precision, double limit, bool same_bits) {
  constexpr std::uint64_t seed = 9;
  HostNetwork<double> host(network, seed, 0);
  const auto source = data_source({"synthetic", "", network.batch, network.classes, network.image_size,
                                   network.input < 0 ? network.sequence : 0, 0, 1, seed});
  const auto batch = source->batch(0);
  auto start = initial_parameters(network, seed);
  // Where the network is tame: rounding is to be seen, and not what a deep network makes of it.
  for (const auto& layer : network.layers) {
    const auto scale = [&](int parameter, float factor) {
      const auto& p = network.parameter(parameter);
      for (std::size_t i = p.offset; i < p.offset + p.count; ++i) start[i] *= factor;
    };
    if (layer.kind == LayerKind::batch_norm && layer.residual >= 0) scale(layer.weight, 0.25F);
    if (layer.kind == LayerKind::embedding) scale(layer.weight, 0.1F);
  }
  host.parameters.assign(start.begin(), start.end());
  HostNetwork<float> narrow(network, seed, 0);
  narrow.parameters = start;
  narrow.differentiate(batch, 1, 1);
  const auto expected = host.differentiate(batch, 1, 1);

  GpuRequest request;
  request.precision = precision;
  request.seed = seed;
  request.same_bits = same_bits;
  GpuNetwork gpu(network, request);
  cudaStream_t stream = nullptr;
  cuda_call(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  put(gpu.numbers().labels, batch.labels.data(), batch.labels.size() * sizeof(int));
  if (network.input >= 0) {
    const DeviceMemory raw(batch.values.size() * sizeof(float));
    put(raw.as(), batch.values.data(), batch.values.size() * sizeof(float));
    const auto& shape = network.shape(network.input);
    pad_images(storage_of(precision), raw.as<float>(), static_cast<std::int64_t>(shape.rows()), shape.c,
               gpu.numbers().input, stream);
    cuda_call(cudaStreamSynchronize(stream), "pad");
  } else {
    put(gpu.numbers().input, batch.tokens.data(), batch.tokens.size() * sizeof(int));
  }
  const auto space = network.parameter_space;
  const auto running = initial_running(network);
  std::vector<float> first;
  for (int repeat = 0; repeat < (same_bits ? 4 : 1); ++repeat) {
    StepState state{0, precision == GpuPrecision::fp16 ? 1024.0F : 1.0F, 0, 0, 0};
    put(gpu.numbers().state, &state, sizeof state);
    put(gpu.numbers().parameters, start.data(), space * sizeof(float));
    cuda_call(cudaMemset(gpu.numbers().momentum, 0, space * sizeof(float)), "clear");
    for (const auto& p : network.parameters) {
      cuda_call(cudaMemset(gpu.numbers().gradients + p.offset, 0xff, p.count * sizeof(float)), "poison");
    }
    put(gpu.numbers().running, running.data(), running.size() * sizeof(float));
    gpu.refresh(stream);
    gpu.enqueue_step(stream);
    cuda_call(cudaStreamSynchronize(stream), "step");
    auto gradients = read(gpu.numbers().gradients, space);
    if (repeat > 0 && same_bits) {
      // Bit for bit, where there are parameters.
      bool same = true;
      for (const auto& p : network.parameters) {
        same = same && std::memcmp(first.data() + p.offset, gradients.data() + p.offset, p.count * sizeof(float)) == 0;
      }
      if (!same) {
        ++failed;
        fmt::print("{}: NOT OK, the same step gives other bits\n", name);
      }
    }
    first = std::move(gradients);
  }
  StepState state{};
  cuda_call(cudaMemcpy(&state, gpu.numbers().state, sizeof state, cudaMemcpyDeviceToHost), "read");
  const auto loss = static_cast<double>(read(gpu.numbers().losses, 1)[0]);
  // Near ties may fall otherwise where numbers are short.
  const auto right = host.accuracy(batch);
  const auto right_there = static_cast<double>(read(gpu.numbers().losses + GpuNumbers::loss_capacity, 1)[0]);
  const bool same_right = precision != GpuPrecision::fp32 || std::abs(right - right_there) < 1e-6;
  for (auto& g : first) g /= state.loss_scale;
  double worst = 0;
  std::string where;
  std::vector<double> all_expected;
  std::vector<float> all_got;
  for (const auto& p : network.parameters) {
    const auto off = distance(host.gradients, first, p.offset, p.count);
    if (!(off <= worst)) {
      worst = off;
      where = p.name;
    }
    for (std::size_t i = p.offset; i < p.offset + p.count; ++i) {
      all_expected.push_back(host.gradients[i]);
      all_got.push_back(first[i]);
    }
  }
  const auto whole = distance(all_expected, all_got, 0, all_got.size());
  std::vector<float> all_narrow;
  for (const auto& p : network.parameters) {
    for (std::size_t i = p.offset; i < p.offset + p.count; ++i) all_narrow.push_back(narrow.gradients[i]);
  }
  const auto host_float = distance(all_expected, all_narrow, 0, all_narrow.size());
  const auto after = read(gpu.numbers().parameters, space);
  double moved = 0;
  for (const auto& p : network.parameters) {
    for (std::size_t i = p.offset; i < p.offset + p.count; ++i) {
      const double should = static_cast<double>(start[i]) - 0.01 * static_cast<double>(first[i]);
      moved = std::max(moved, std::abs(should - static_cast<double>(after[i])));
    }
  }
  double statistics = 0;
  const auto there = read(gpu.numbers().running, running.size() + 1);
  for (std::size_t i = 0; i < running.size(); ++i) {
    statistics = std::max(statistics, std::abs(static_cast<double>(there[i] - host.running[i])) /
                                          (std::abs(static_cast<double>(host.running[i])) + 0.1));
  }
  const bool ok = whole < limit && std::abs(loss - expected) < limit * (1 + std::abs(expected)) && moved < 1e-5 &&
                  statistics < limit && same_right;
  if (!ok) ++failed;
  fmt::print(
      "{:<44} {} loss {:.6f} (host {:.6f}), right {:.3f} (host {:.3f}), gradients off {:.2e} (in float on the host "
      "{:.2e}; worst {:.2e}: {}), "
      "update off {:.1e}, "
      "statistics off {:.1e}, attention: {}\n",
      name, ok ? "ok    " : "NOT OK", loss, expected, right_there, right, whole, host_float, worst, where, moved,
      statistics, gpu.attention());
  std::fflush(stdout);
  cudaStreamDestroy(stream);
}

void attempt(const std::string& name, const Network& network, GpuPrecision precision, double limit, bool same_bits) {
  try {
    check(name, network, precision, limit, same_bits);
  } catch (const std::exception& error) {
    ++failed;
    fmt::print("{:<44} NOT OK {}\n", name, error.what());
    std::fflush(stdout);
  }
}

/// fp16 with a scale that no gradient bears: the step must change nothing, count itself and halve the scale.
void check_overflow() {
  const auto network = transformer(3, 31, 40, {2, 128, 2, 256, 0});
  const auto batch = data_source({"synthetic", "", 3, 40, 0, 31, 0, 1, 9})->batch(0);
  GpuRequest request;
  request.precision = GpuPrecision::fp16;
  GpuNetwork gpu(network, request);
  cudaStream_t stream = nullptr;
  cuda_call(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  const auto start = initial_parameters(network, 9);
  constexpr float scale = 0x1p100F;
  const StepState before{0, scale, 0, 7, 0};
  put(gpu.numbers().state, &before, sizeof before);
  put(gpu.numbers().parameters, start.data(), start.size() * sizeof(float));
  put(gpu.numbers().labels, batch.labels.data(), batch.labels.size() * sizeof(int));
  put(gpu.numbers().input, batch.tokens.data(), batch.tokens.size() * sizeof(int));
  gpu.refresh(stream);
  gpu.enqueue_step(stream);
  cuda_call(cudaStreamSynchronize(stream), "step");
  StepState after{};
  cuda_call(cudaMemcpy(&after, gpu.numbers().state, sizeof after, cudaMemcpyDeviceToHost), "read");
  const bool same = read(gpu.numbers().parameters, start.size()) == start;
  const auto momentum = read(gpu.numbers().momentum, start.size());
  const bool still = std::all_of(momentum.begin(), momentum.end(), [](float m) { return m == 0; });
  const bool ok = same && still && after.skipped == 1 && after.good == 0 && after.loss_scale == scale / 2;
  if (!ok) ++failed;
  fmt::print("{:<44} {} parameters {}, momentum {}, skipped {}, scale {:g} of {:g}\n", "transformer fp16, overflow",
             ok ? "ok    " : "NOT OK", same ? "as before" : "changed", still ? "as before" : "changed", after.skipped,
             after.loss_scale, scale);
  cudaStreamDestroy(stream);
}

/// What this GPU reaches by itself: large products of noise in this precision, FLOP/s, and copies, bytes/s read and
/// written.
struct Limits {
  double flop = 0, bytes = 0;
};

Limits limits_of(GpuPrecision precision) {
  const auto type = storage_of(precision);
  const int side = precision == GpuPrecision::fp32 ? 4096 : 8192;
  const auto size = static_cast<std::size_t>(side) * static_cast<std::size_t>(side) * gpu_bytes(type);
  const DeviceMemory a(size), b(size), d(size), workspace(std::size_t{64} << 20);
  // The upper half of a float is its bf16; as fp16 such bits are numbers of modest size as well. Noise: a GPU is faster
  // with numbers that are alike.
  std::vector<std::uint16_t> noise(std::size_t{1} << 20);
  for (std::size_t i = 0; i < noise.size(); ++i) {
    const auto value = static_cast<float>(random_input(3, i));
    noise[i] = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
  }
  for (std::size_t at = 0; at < size; at += noise.size() * 2) {
    for (const auto* const memory : {&a, &b}) {
      put(memory->as<char>() + at, noise.data(), noise.size() * 2);
    }
  }
  const GpuLibraries libraries;
  CublasProduct product(libraries.lt, libraries.lt_handle, precision, {side, side, side, true, false, side, side, side},
                        std::size_t{64} << 20);
  Timer timer;
  Limits limits;
  for (std::size_t way = 0; way < product.algorithms(); ++way) {
    product.choose(way);
    const auto once = [&] { product.run(1, a.as(), b.as(), 0, d.as(), workspace.as(), timer.stream()); };
    timer.seconds(once);
    limits.flop = std::max(limits.flop, 2.0 * side * side * side / timer.seconds(once));
  }
  constexpr auto gib = std::size_t{1} << 30;
  const DeviceMemory from(gib), to(gib);
  const auto copy = [&] {
    cuda_call(cudaMemcpyAsync(to.as(), from.as(), gib, cudaMemcpyDeviceToDevice, timer.stream()), "copy");
  };
  timer.seconds(copy);
  for (int k = 0; k < 5; ++k)
    limits.bytes = std::max(limits.bytes, 2.0 * static_cast<double>(gib) / timer.seconds(copy));
  return limits;
}

/// A table of where the time of a step goes: for each kind of part what it can't do without, how long that takes at
/// this GPU's limits, the longer of products and memory, and how much of its time that is.
void print_parts(const std::string& load, const std::vector<StepWork::PartTime>& parts, const Limits& limits) {
  struct Sum {
    double seconds = 0, flop = 0, bytes = 0, least = 0;
  };
  std::map<std::string, Sum> by_name;
  Sum whole;
  for (const auto& part : parts) {
    const auto least = std::max(part.least.flop / limits.flop, part.least.bytes / limits.bytes);
    for (auto* const sum : {&by_name[part.what], &whole}) {
      sum->seconds += part.seconds;
      sum->flop += part.least.flop;
      sum->bytes += part.least.bytes;
      sum->least += least;
    }
  }
  fmt::print("{}: {:.3f} ms a step, part after part; limits: {:.0f} TFLOP/s, {:.0f} GB/s\n", load, whole.seconds * 1e3,
             limits.flop / 1e12, limits.bytes / 1e9);
  fmt::print("  {:<40} {:>8} {:>6} {:>8} {:>8} {:>9} {:>6}\n", "part", "ms", "share", "GFLOP", "MB", "limit ms",
             "of it");
  const auto row = [&](const std::string& what, const Sum& sum) {
    fmt::print("  {:<40} {:8.3f} {:5.1f}% {:8.0f} {:8.0f} {:9.3f} {:5.0f}%\n", what, sum.seconds * 1e3,
               100 * sum.seconds / whole.seconds, sum.flop / 1e9, sum.bytes / 1e6, sum.least * 1e3,
               100 * sum.least / sum.seconds);
  };
  for (const auto& [what, sum] : by_name) row(what, sum);
  row("all", whole);
}

/// Where the time of a step goes.
void profile(const std::string& load) {
  try {
    std::istringstream words(load);
    std::string model, batch, precision;
    std::getline(std::getline(std::getline(words, model, ':'), batch, ':'), precision);
    const std::map<std::string, GpuPrecision> precisions{{"fp32", GpuPrecision::fp32},
                                                         {"tf32", GpuPrecision::tf32},
                                                         {"fp16", GpuPrecision::fp16},
                                                         {"bf16", GpuPrecision::bf16}};
    const int samples = std::stoi(batch);
    const auto network = model == "transformer" ? transformer(samples, 511, 1000, {})
                                                : resnet(model == "resnet18" ? 18 : 50, samples, 224, 1000);
    GpuRequest request;
    request.precision = precisions.at(precision);
    const auto limits = limits_of(request.precision);
    GpuNetwork gpu(network, request);
    cudaStream_t stream = nullptr;
    cuda_call(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
    const auto start = initial_parameters(network, 1);
    put(gpu.numbers().parameters, start.data(), start.size() * sizeof(float));
    gpu.refresh(stream);
    if (network.input >= 0) {
      // Not zeros, which would draw less power.
      const auto& shape = network.shape(network.input);
      std::vector<float> noise(shape.rows() * 3);
      for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<float>(random_input(1, i));
      const DeviceMemory raw(noise.size() * sizeof(float));
      put(raw.as(), noise.data(), noise.size() * sizeof(float));
      pad_images(storage_of(request.precision), raw.as<float>(), static_cast<std::int64_t>(shape.rows()), shape.c,
                 gpu.numbers().input, stream);
      cuda_call(cudaStreamSynchronize(stream), "pad");
    } else {
      // Not one word alone, whose gradient all positions would wait for.
      std::vector<int> tokens(network.labels());
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        tokens[i] = static_cast<int>(scramble(i) % static_cast<std::uint64_t>(network.classes));
      }
      put(gpu.numbers().input, tokens.data(), tokens.size() * sizeof(int));
    }
    gpu.profile(stream, 5);
    print_parts(load, gpu.profile(stream, 20), limits);
    cudaStreamDestroy(stream);
  } catch (const std::exception& error) {
    fmt::print("{}: {}\n", load, error.what());
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "profile") {
    std::vector<std::string> loads(argv + 2, argv + argc);
    if (loads.empty()) loads = {"resnet50:64:bf16", "resnet50:64:tf32", "transformer:32:bf16", "transformer:32:tf32"};
    for (const auto& load : loads) profile(load);
    return 0;
  }
  const TransformerSize plain{2, 128, 2, 256, 0}, dropping{2, 128, 2, 256, 0.1};
  for (const bool same_bits : {false, true}) {
    const auto both = [&](const std::string& name, const Network& network, GpuPrecision precision, double limit) {
      attempt(name + (same_bits ? ", same bits" : ""), network, precision, limit, same_bits);
    };
    both("transformer fp32", transformer(3, 31, 40, plain), GpuPrecision::fp32, 1e-4);
    both("transformer fp32, dropout", transformer(3, 31, 40, dropping), GpuPrecision::fp32, 1e-4);
    both("transformer tf32, dropout", transformer(3, 31, 40, dropping), GpuPrecision::tf32, 1e-2);
    both("transformer bf16", transformer(3, 31, 40, plain), GpuPrecision::bf16, 5e-2);
    both("transformer fp16", transformer(3, 31, 40, plain), GpuPrecision::fp16, 2e-2);
    both("resnet18 fp32", resnet(18, 3, 72, 24), GpuPrecision::fp32, 1e-3);
    both("resnet50 fp32", resnet(50, 4, 72, 10), GpuPrecision::fp32, 1e-3);
    both("resnet50 tf32", resnet(50, 4, 72, 10), GpuPrecision::tf32, 2e-1);
    both("resnet18 fp16", resnet(18, 4, 72, 24), GpuPrecision::fp16, 2e-1);
    both("resnet18 bf16", resnet(18, 4, 72, 24), GpuPrecision::bf16, 5e-1);
  }
  check_overflow();
  fmt::print("{} not ok\n", failed);
  return failed > 0 ? 1 : 0;
}
