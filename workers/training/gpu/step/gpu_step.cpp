#include "workers/training/gpu/step/gpu_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "workers/devices/cuda_call.h"
#include "workers/training/gpu/kernels/layer_norm_kernels.h"
#include "workers/training/gpu/kernels/norm_kernels.h"
#include "workers/training/gpu/kernels/products/dropped_products.h"
#include "workers/training/gpu/kernels/row_kernels.h"

namespace rv::workers {
namespace {

/// The minimum workspace for cuDNN and cuBLASLt.
constexpr std::size_t least_workspace = std::size_t{256} << 20;
/// The initial value of PyTorch's GradScaler.
constexpr float first_loss_scale = 65536;

/// Some of cuDNN's plans first convert their input and output to another layout.
std::size_t workspace_of(const GpuStep& step) {
  std::size_t largest = 0;
  for (const auto& layer : step.network.layers) {
    if (layer.kind != LayerKind::convolution) continue;
    for (const int tensor : {layer.in, layer.out}) largest = std::max(largest, step.bytes(step.network.shape(tensor)));
  }
  return least_workspace + 2 * largest;
}

/// Kernels read and write packs of eight channels.
void check_channels(const Network& network) {
  for (const auto& layer : network.layers) {
    const int channels = network.shape(layer.out).c;
    if (channels % 8 == 0 || layer.out == network.output) continue;
    throw std::runtime_error(
        fmt::format("{} has {} channels; on a GPU they must be a multiple of 8", layer.name, channels));
  }
}

/// Floats for the partial sums of a layer. Those of batch norm depend on the GPU, which a rehearsal does not query.
std::size_t partial_floats(const Network& network, const Layer& layer, bool rehearsal) {
  const auto& out = network.shape(layer.out);
  switch (layer.kind) {
    case LayerKind::batch_norm:
      return rehearsal ? 0 : norm_partial_floats(out.c);
    case LayerKind::add_layer_norm:
      return layer_norm_partial_floats(out.c);
    case LayerKind::linear:
      return column_partial_floats(out.c);
    case LayerKind::drop_out:
      return std::max(column_partial_floats(out.c),
                      masked_product_floats(static_cast<std::int64_t>(out.rows()), out.c));
    default:
      return 0;
  }
}

}  // namespace

GpuStep::GpuStep(const Network& given, GpuRequest wanted)
    : network(given),
      request(std::move(wanted)),
      type(storage_of(request.precision)),
      memory(request.rehearsal),
      libraries(request.rehearsal ? nullptr : std::make_unique<GpuLibraries>()),
      tuner(request.choices),
      values(network.tensors.size()),
      layers(network.layers.size()),
      work(request.rehearsal),
      kinds(network.parameter_space / gradient_block + 1) {
  check_channels(network);
  allocate_parameters();
  allocate_gradients();
  allocate_input();
  allocate_scratch();
  allocate_attention();
  begin();
}

void GpuStep::allocate_gradients() {
  if (type != GpuType::fp32) narrow_gradients = memory.keep(network.parameter_space * gpu_bytes(type));
  numbers.gradients = memory.keep_array<float>(network.parameter_space + ExchangeSpace::passengers);
  numbers.kinds = memory.keep_array<GradientKind>(kinds.size());
}

void GpuStep::allocate_input() {
  numbers.labels = memory.keep_array<int>(network.labels());
  if (network.input >= 0) {
    numbers.input = memory.keep(bytes(network.shape(network.input)));
    value(network.input).data = numbers.input;
  } else {
    numbers.input = memory.keep(network.labels() * sizeof(int));
  }
}

void GpuStep::allocate_scratch() {
  numbers.running = memory.keep_array<float>(network.running_space + 1);  // it may be 0, and no array is empty
  numbers.state = memory.keep_array<StepState>(1);
  numbers.losses = memory.keep_array<float>(std::size_t{2} * GpuNumbers::loss_capacity);  // losses, then accuracies
  row_losses = memory.keep_array<float>(2 * network.labels());                            // the same of each row
  workspace_bytes = workspace_of(*this);
  workspace = memory.keep(workspace_bytes);
  counters = memory.keep_array<unsigned int>(norm_counters);
  std::size_t most_partial = 1;
  for (const auto& layer : network.layers) {
    most_partial = std::max(most_partial, partial_floats(network, layer, request.rehearsal));
  }
  partial = memory.keep_array<float>(most_partial);
}

void GpuStep::allocate_attention() {
  for (const auto& layer : network.layers) attention.layers += layer.kind == LayerKind::attention ? 1 : 0;
  const auto count = static_cast<std::size_t>(attention.layers);
  // A seed and an offset for each layer, and one more in case that there is none.
  attention.seeds = memory.keep_array<long long>(2 * count + 1);
  // cuDNN reads scalars by address, so this array must not grow: at most four per attention layer and pass.
  constexpr std::size_t passes = 2, scalars = 4;
  attention.scalars.reserve(passes * scalars * count);
}

void GpuStep::begin() {
  if (request.rehearsal) return;
  const StepState start{.step = 0,
                        .loss_scale = request.precision == GpuPrecision::fp16 ? first_loss_scale : 1,
                        .overflowed = 0,
                        .good = 0,
                        .skipped = 0};
  cuda_call(cudaMemcpy(numbers.state, &start, sizeof start, cudaMemcpyHostToDevice), "copy to the GPU");
}

void GpuStep::allocate_parameters() {
  const auto space = network.parameter_space;
  if (!request.exchanges_gradients()) {
    if (type != GpuType::fp32) narrow_parameters = memory.keep(space * gpu_bytes(type));
    numbers.parameters = memory.keep_array<float>(space);
    numbers.momentum = memory.keep_array<float>(space);
    return;
  }
  const auto& lies = exchange_space.emplace(network, type, request.world);
  auto* const shared = request.rehearsal ? memory.keep_array<char>(lies.total) : request.exchange->memory();
  narrow_parameters = shared + lies.narrow;
  numbers.parameters = reinterpret_cast<float*>(shared + lies.parameters);
  numbers.momentum = reinterpret_cast<float*>(shared + lies.momentum);
}

const void* GpuStep::narrow(int parameter) const {
  const auto offset = network.parameter(parameter).offset;
  if (type == GpuType::fp32) return numbers.parameters + offset;
  return static_cast<const char*>(narrow_parameters) + offset * gpu_bytes(type);
}

void* GpuStep::narrow_gradient(int parameter) const {
  const auto offset = network.parameter(parameter).offset;
  if (type == GpuType::fp32) return numbers.gradients + offset;
  return static_cast<char*>(narrow_gradients) + offset * gpu_bytes(type);
}

void GpuStep::comes_narrow(int parameter) {
  const auto& p = network.parameter(parameter);
  const auto first = kinds.begin() + static_cast<std::ptrdiff_t>(p.offset / gradient_block);
  std::fill_n(first, (p.count + gradient_block - 1) / gradient_block, GradientKind::narrow);
}

Gradients GpuStep::gradients(Gradients::From from) const {
  return {from, type, numbers.gradients, narrow_gradients, numbers.kinds, {}};
}

UpdateMemory GpuStep::update_memory() const {
  return {numbers.parameters, numbers.momentum, narrow_parameters};
}

float* GpuStep::bias_behind(int tensor) {
  if (!network.only_reader(tensor)) return nullptr;
  const auto writes = [&](const Layer& layer) { return layer.kind == LayerKind::linear && layer.out == tensor; };
  const auto found = std::find_if(network.layers.begin(), network.layers.end(), writes);
  if (found == network.layers.end()) return nullptr;
  value(tensor).columns_summed = true;
  return slope(found->bias);
}

GpuDropout GpuStep::dropout(const Layer& layer) const {
  return {layer.dropout.kept, dropout_base(request.seed, request.rank), layer.dropout.id};
}

const AttentionWorkspace& GpuStep::attention_workspace(const AttentionShape& shape) {
  if (!attention.workspace) {
    if (!request.rehearsal) {
      attention.workspace = workspace_of_kernels(shape);
      if (!attention.workspace) attention.workspace = workers::attention_workspace(*libraries, shape);
    } else {
      attention.workspace = request.attention_workspace ? request.attention_workspace(shape) : AttentionWorkspace{};
    }
  }
  return *attention.workspace;
}

}  // namespace rv::workers
