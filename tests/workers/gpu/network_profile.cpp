// Where the time of a training step goes, beside what the GPU can do.
#include "tests/workers/gpu/network_profile.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <sstream>
#include <vector>

#include "tests/workers/gpu/gpu_arrays.h"
#include "workers/devices/random_input.h"
#include "workers/training/gpu/gpu_network.h"
#include "workers/training/gpu/kernels/input_kernels.h"

namespace rv::workers {
namespace {

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

/// Noise in place of images, since zeros would draw less power; of words many, since all positions of one would wait
/// for its gradient.
void put_input(const Network& network, const GpuNetwork& gpu, GpuType type, cudaStream_t stream) {
  if (network.input < 0) {
    std::vector<int> tokens(network.labels());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      tokens[i] = static_cast<int>(scramble(i) % static_cast<std::uint64_t>(network.classes));
    }
    return put(gpu.numbers().input, tokens.data(), tokens.size() * sizeof(int));
  }
  const auto& shape = network.shape(network.input);
  std::vector<float> noise(shape.rows() * 3);
  for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<float>(random_input(1, i));
  put_images(network, noise, type, gpu.numbers().input, stream);
}

void profile(const std::string& load) {
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
  const TestStream stream;
  const auto start = initial_parameters(network, 1);
  put(gpu.numbers().parameters, start.data(), start.size() * sizeof(float));
  gpu.refresh(stream.get());
  put_input(network, gpu, storage_of(request.precision), stream.get());
  gpu.profile(stream.get(), 5);
  print_parts(load, gpu.profile(stream.get(), 20), limits);
}

}  // namespace

void print_profile(const std::string& load) {
  try {
    profile(load);
  } catch (const std::exception& error) {
    fmt::print("{}: {}\n", load, error.what());
  }
  std::fflush(stdout);
}

}  // namespace rv::workers
