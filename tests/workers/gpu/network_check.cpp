// One training step of small networks on a GPU against the same in double on the host: losses, every parameter's
// gradient, and the parameters after the step. usage: network_check [WORD]: those whose names have it; prints a line
// for each, exits 1 if one is off. network_check profile [MODEL:BATCH:PRECISION…]: where the time of a step goes,
// beside what the GPU can do.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "tests/workers/gpu/gpu_arrays.h"
#include "tests/workers/gpu/network_profile.h"
#include "workers/training/data/data_source.h"
#include "workers/training/gpu/gpu_network.h"
#include "workers/training/host/host_network.h"

using namespace rv::workers;

namespace {

constexpr std::uint64_t seed = 9;
int failed = 0;

/// A network with its input, and one step of it on the host. It is computed once for all precisions: in double it takes
/// most of the time.
struct Reference {
  explicit Reference(const Network& of);

  Network network;
  Batch batch;
  std::vector<float> start;
  std::vector<double> gradients, running;
  double loss = 0, right = 0;
  double float_off = 0;  ///< how far the worst of the host's own gradients in float is off
};

/// Sums of squares.
struct Squares {
  double difference = 0, expected = 0;
  double ratio(double least = 0) const { return std::sqrt(difference / std::max({expected, least, 1e-30})); }
};

template <class Number>
Squares squares(const Parameter& p, const std::vector<double>& expected, const std::vector<Number>& got) {
  Squares sum;
  for (std::size_t i = p.offset; i < p.offset + p.count; ++i) {
    const double off = expected[i] - static_cast<double>(got[i]);
    sum.difference += off * off;
    sum.expected += expected[i] * expected[i];
  }
  return sum;
}

/// Of all gradients that belong to a parameter.
template <class Number>
Squares all_squares(const Network& network, const std::vector<double>& expected, const std::vector<Number>& got) {
  Squares sum;
  for (const auto& p : network.parameters) {
    const auto one = squares(p, expected, got);
    sum.difference += one.difference;
    sum.expected += one.expected;
  }
  return sum;
}

/// The parameter whose gradient is farthest off, relative to itself. Most of the whole belongs to the last layer, which
/// would hide the others. Some biases have next to no gradient, as a norm behind them takes it away: those below a
/// ten-thousandth of the whole count as that much.
template <class Number>
std::pair<double, std::string> worst_parameter(const Network& network, const std::vector<double>& expected,
                                               const std::vector<Number>& got) {
  const double least = 1e-8 * all_squares(network, expected, got).expected;
  std::pair<double, std::string> worst{0, ""};
  for (const auto& p : network.parameters) {
    const auto off = squares(p, expected, got).ratio(least);
    if (!(off <= worst.first)) worst = {off, p.name};
  }
  return worst;
}

/// Whether the layer that made this tensor ends with ReLU.
bool is_clamped(const Network& network, int tensor) {
  return std::any_of(network.layers.begin(), network.layers.end(),
                     [&](const auto& layer) { return layer.out == tensor && layer.relu; });
}

/// Keeps what goes into ReLU away from zero, above it in three of four channels and below it in the fourth. Rounding
/// that moves one number across zero changes a gradient by as much as a wrong kernel would: of the 102,400 numbers of
/// ResNet-50's layer3 here, one moves it by 0.4 %. Normalised numbers are rarely farther than 4 from their mean.
void stay_off_zero(const Network& network, const Layer& layer, std::vector<float>& start) {
  constexpr float away = 4;
  const auto& bias = network.parameter(layer.bias);
  for (std::size_t c = 0; c < bias.count; ++c) {
    const float above = layer.residual >= 0 && is_clamped(network, layer.residual) ? 0 : away;
    start[bias.offset + c] = c % 4 == 3 ? -away : above;
  }
}

/// Where the network is tame: rounding is to be seen, and not what a deep network makes of it.
std::vector<float> tame_start(const Network& network) {
  auto start = initial_parameters(network, seed);
  for (const auto& layer : network.layers) {
    const auto scale = [&](int parameter, float factor) {
      const auto& p = network.parameter(parameter);
      for (std::size_t i = p.offset; i < p.offset + p.count; ++i) start[i] *= factor;
    };
    if (layer.kind == LayerKind::batch_norm && layer.residual >= 0) scale(layer.weight, 0.25F);
    if (layer.kind == LayerKind::batch_norm && layer.relu) stay_off_zero(network, layer, start);
    if (layer.kind == LayerKind::embedding) scale(layer.weight, 0.1F);
  }
  return start;
}

Reference::Reference(const Network& of) : network(of), start(tame_start(of)) {
  const auto source = data_source({"synthetic", "", network.batch, network.classes, network.image_size,
                                   network.input < 0 ? network.sequence : 0, 0, 1, seed});
  batch = source->batch(0);
  HostNetwork<double> host(network, seed, 0);
  host.parameters.assign(start.begin(), start.end());
  loss = host.differentiate(batch, 1, 1);
  gradients = host.gradients;
  running.assign(host.running.begin(), host.running.end());
  right = host.accuracy(batch);
  HostNetwork<float> narrow(network, seed, 0);
  narrow.parameters = start;
  narrow.differentiate(batch, 1, 1);
  float_off = worst_parameter(network, gradients, narrow.gradients).first;
}

/// What one step on the GPU left.
struct Step {
  std::vector<float> gradients, parameters, momentum, running;
  StepState state{};
  double loss = 0, right = 0;
};

/// A step from the reference's start, on its batch.
Step one_step(const Reference& of, GpuNetwork& gpu, GpuPrecision precision, float loss_scale) {
  const TestStream stream;
  const auto& numbers = gpu.numbers();
  const auto& network = of.network;
  const auto space = network.parameter_space;
  put(numbers.labels, of.batch.labels.data(), of.batch.labels.size() * sizeof(int));
  if (network.input >= 0) {
    put_images(network, of.batch.values, storage_of(precision), numbers.input, stream.get());
  } else {
    put(numbers.input, of.batch.tokens.data(), of.batch.tokens.size() * sizeof(int));
  }
  const StepState state{0, loss_scale, 0, 7, 0};
  put(numbers.state, &state, sizeof state);
  put(numbers.parameters, of.start.data(), space * sizeof(float));
  cuda_call(cudaMemset(numbers.momentum, 0, space * sizeof(float)), "clear");
  for (const auto& p : network.parameters) {
    cuda_call(cudaMemset(numbers.gradients + p.offset, 0xff, p.count * sizeof(float)), "poison");
  }
  const auto running = initial_running(network);
  put(numbers.running, running.data(), running.size() * sizeof(float));
  gpu.refresh(stream.get());
  gpu.enqueue_step(stream.get());
  gpu.widen_gradients(stream.get());
  stream.wait();
  Step step{read(numbers.gradients, space), read(numbers.parameters, space), read(numbers.momentum, space),
            read(numbers.running, running.size())};
  cuda_call(cudaMemcpy(&step.state, numbers.state, sizeof step.state, cudaMemcpyDeviceToHost), "read");
  step.loss = static_cast<double>(read(numbers.losses, 1)[0]);
  step.right = static_cast<double>(read(numbers.losses + GpuNumbers::loss_capacity, 1)[0]);
  return step;
}

GpuRequest request_for(GpuPrecision precision, bool same_bits) {
  GpuRequest request;
  request.precision = precision;
  request.seed = seed;
  request.same_bits = same_bits;
  return request;
}

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

/// Plays the other ranks, whose gradients are this one's, or nought. What they move stays where it was.
class PlayedRanks : public RankExchange {
 public:
  PlayedRanks(int rank, int ranks, std::size_t bytes, bool same)
      : rank_(rank), ranks_(ranks), same_(same), own_(bytes) {
    cuda_call(cudaMemset(own_.as(), 0, bytes), "clear");
  }
  char* memory() const override { return own_.as<char>(); }
  int send(const void* from, const Moves& moves, void* stream) override {
    for (int other = 0; other < ranks_; ++other) {
      if (other == rank_ || !same_) continue;
      const auto move = moves(other, rank_);
      const auto* const theirs = static_cast<const char*>(from) + move.from;
      auto* const here = memory() + move.to;
      if (theirs == here) continue;
      cuda_call(cudaMemcpyAsync(here, theirs, move.bytes, cudaMemcpyDeviceToDevice, static_cast<cudaStream_t>(stream)),
                "send");
    }
    open_parts.insert(parts);
    return parts++;
  }
  void await(int part, void*) override { open_parts.erase(part); }
  void used(void*) override { steps += 1; }
  std::string way() const override { return "played"; }

  int parts = 0, steps = 0;
  std::set<int> open_parts;  ///< that nobody has waited for

 private:
  int rank_, ranks_;
  bool same_;
  DeviceMemory own_;
};

/// Ranks that send each other gradients, each in its turn, with the others played. Theirs are nought, so that the
/// weights move by a share of what one rank alone moves them; or the same, so that they move by all of it; but for one
/// rounding of each. What each moves is all, and nothing twice.
void check_exchange(const std::string& name, const Reference& of, GpuPrecision precision, int ranks) {
  const float scale = precision == GpuPrecision::fp16 ? 1024.0F : 1.0F;
  GpuNetwork alone(of.network, request_for(precision, true));
  const auto whole = one_step(of, alone, precision, scale);
  for (const bool same : {false, true}) {
    std::vector<double> expected(whole.momentum.begin(), whole.momentum.end());
    for (auto& value : expected) value *= same ? 1.0 : 1.0 / ranks;
    std::vector<double> moved(expected.size());
    bool ok = true;
    int parts = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      PlayedRanks others(rank, ranks, ExchangeSpace(of.network, storage_of(precision), ranks).total, same);
      auto request = request_for(precision, true);
      request.rank = rank;
      request.world = ranks;
      request.choices = alone.tuner().choices();
      request.exchange = &others;
      GpuNetwork gpu(of.network, request);
      const auto step = one_step(of, gpu, precision, scale);
      for (std::size_t i = 0; i < moved.size(); ++i) {
        if (rank == 0 || i >= of.network.fp32_space) moved[i] += static_cast<double>(step.momentum[i]);
      }
      parts = others.parts;
      ok = ok && step.state.skipped == 0 && parts > 0 && others.open_parts.empty() && others.steps == 1;
    }
    const auto off = all_squares(of.network, expected, moved).ratio();
    const double limit = 0x1p-9;  // the most that bf16 rounds
    ok = ok && off <= limit;
    if (!ok) ++failed;
    fmt::print("{:<44} {} momentum off {:.2e}, at most {:.2e}; {} parts\n",
               fmt::format("{}, {}", name, same ? "the same" : "nought"), ok ? "ok    " : "NOT OK", off, limit, parts);
  }
}

/// A batch that does not fit is refused by what cuDNN takes for a few samples: it must take as much for each of many.
void check_attention_room(const std::string& name) {
  const GpuLibraries libraries;
  AttentionShape shape{0, 511, 16, 64, 0.9, CUDNN_DATA_BFLOAT16};
  const auto room = attention_room(libraries, shape);
  double most = 0;
  for (const std::int64_t samples : {8, 128, 900}) {
    shape.n = samples;
    CudnnGraph back(libraries.cudnn);
    attention_backward(back, shape);
    const auto plans = back.plans({libraries.cudnn_handle, {}}, {true, 6, std::int64_t{1} << 40});
    double least = 1e30;
    for (const auto& plan : plans) least = std::min(least, static_cast<double>(plan.workspace));
    most = std::max(most, std::abs(least / (room.backward * static_cast<double>(samples)) - 1));
  }
  const bool ok = room.possible && most < 0.01;
  if (!ok) ++failed;
  fmt::print("{:<44} {} {:.0f} bytes a sample, off by {:.2e} of it\n", name, ok ? "ok    " : "NOT OK", room.backward,
             most);
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
      attempt(named, [&, of = of, precision = precision] { check_exchange(named, *of, precision, ranks); });
    }
  }
  attempt("transformer fp16, overflow", [&] { check_overflow(words); });
  attempt("attention's room", [] { check_attention_room("attention's room"); });
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
