#include "workers/training/gpu/gpu_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workers/devices/cuda_call.h"
#include "workers/training/gpu/gpu_attention.h"
#include "workers/training/gpu/norm_kernels.h"

namespace rv::workers {
namespace {

constexpr std::size_t workspace_bytes = std::size_t{256} << 20;
constexpr std::size_t bucket_elements = std::size_t{25} << 18;  // 25 MiB of fp32, as PyTorch's

cudnnDataType_t cudnn_type(GpuType type) {
  if (type == GpuType::fp16) return CUDNN_DATA_HALF;
  return type == GpuType::bf16 ? CUDNN_DATA_BFLOAT16 : CUDNN_DATA_FLOAT;
}

CudnnGraph::Extents nhwc(std::int64_t h, std::int64_t w, std::int64_t c) {
  return {h * w * c, 1, w * c, c};
}

}  // namespace

struct GpuLibraries {
  GpuLibraries() {
    cudnn.call(cudnn.create(&cudnn_handle), "start");
    if (lt.create(&lt_handle) != CUBLAS_STATUS_SUCCESS) throw std::runtime_error("cuBLASLt does not start");
  }
  ~GpuLibraries() {
    if (cudnn_handle != nullptr) cudnn.destroy(cudnn_handle);
    if (lt_handle != nullptr) lt.destroy(lt_handle);
  }
  GpuLibraries(const GpuLibraries&) = delete;
  GpuLibraries& operator=(const GpuLibraries&) = delete;

  Cudnn cudnn;
  cudnnHandle_t cudnn_handle = nullptr;
  CublasLt lt;
  cublasLtHandle_t lt_handle = nullptr;
};

struct GpuNetwork::LayerState {
  float* statistics = nullptr;    ///< of a norm; of add_layer_norm by row; of attention by row
  std::uint8_t* signs = nullptr;  ///< a bit or a byte by element
  void* weights = nullptr;        ///< of slow attention
  long long* seed = nullptr;
  bool fused = false;  ///< the layer before does its work, in one of the passes or in both
};

struct GpuNetwork::Convolution {
  std::vector<CudnnPlan> plans;
  std::size_t chosen = 0;
};

GpuNetwork::GpuNetwork(const Network& network, GpuRequest request)
    : network_(network),
      request_(std::move(request)),
      type_(storage_of(request_.precision)),
      memory_(request_.rehearsal),
      tuner_(request_.choices),
      values_(network.tensors.size()),
      layers_(network.layers.size()) {
  if (!request_.rehearsal) {
    libraries_ = std::make_unique<GpuLibraries>();
    int least = 0, most = 0;
    cuda_call(cudaDeviceGetStreamPriorityRange(&least, &most), "ask for priorities");
    cuda_call(cudaStreamCreateWithFlags(&main_, cudaStreamNonBlocking), "create a stream");
    // Few threads blocks that the other ranks wait for must not wait for a place among the many of a layer.
    cuda_call(cudaStreamCreateWithPriority(&side_, cudaStreamNonBlocking, most), "create a stream");
  }
  allocate();
  also("step", [this](cudaStream_t stream) {
    begin_step(state, dropout_base(request_.seed, request_.rank), seeds_, attentions_, stream);
    fork(stream, side_);
  });
  for (std::size_t i = 0; i < network_.layers.size(); ++i) forward(i);
  losses_and_scores();
  for (std::size_t i = network_.layers.size(); i-- > 0;) backward(i);
  also("step", [this](cudaStream_t stream) { fork(side_, stream); });
  if (request_.precision == GpuPrecision::fp16) {
    also("step", [this](cudaStream_t stream) {
      const auto count = static_cast<std::int64_t>(network_.parameter_space);
      find_overflow(gradients, count, state, stream);
      update(type_, {parameters, momentum, gradients, narrow_}, 0, count, request_.rate, state, stream);
      adjust_scale(state, stream);
    });
  }
  if (!request_.rehearsal) {
    stretches_there_ = memory_.keep_array<Stretch>(stretches_.size() + 1);
    cuda_call(
        cudaMemcpy(stretches_there_, stretches_.data(), stretches_.size() * sizeof(Stretch), cudaMemcpyHostToDevice),
        "copy to the GPU");
  }
}

GpuNetwork::~GpuNetwork() {
  for (auto* const event : events_) cudaEventDestroy(event);
  for (auto* const stream : {main_, side_}) {
    if (stream != nullptr) cudaStreamDestroy(stream);
  }
}

std::string GpuNetwork::cudnn_version() const {
  return libraries_ ? libraries_->cudnn.version() : "";
}

void GpuNetwork::allocate() {
  const auto space = network_.parameter_space;
  parameters = memory_.keep_array<float>(space);
  momentum = memory_.keep_array<float>(space);
  gradients = memory_.keep_array<float>(space + passengers);
  running = memory_.keep_array<float>(network_.running_space + 1);
  state = memory_.keep_array<StepState>(1);
  losses = memory_.keep_array<float>(std::size_t{2} * loss_capacity);
  labels = memory_.keep_array<int>(network_.labels());
  row_losses_ = memory_.keep_array<float>(2 * network_.labels());
  if (type_ != GpuType::fp32) {
    narrow_ = memory_.keep(space * gpu_bytes(type_));
    narrow_gradients_ = memory_.keep(space * gpu_bytes(type_));
  }
  workspace_ = memory_.keep(workspace_bytes);
  counters_ = memory_.keep_array<unsigned int>(norm_counters);
  unsent_ = space;
  std::size_t partial = 1;
  for (const auto& layer : network_.layers) {
    const int channels = network_.shape(layer.out).c;
    if (channels % 8 != 0 && layer.out != network_.output) {
      throw std::runtime_error(
          fmt::format("{} has {} channels; on a GPU they must be a multiple of 8", layer.name, channels));
    }
    if (layer.kind == LayerKind::batch_norm && !request_.rehearsal) {
      partial = std::max(partial, norm_partial_floats(channels));
    }
    if (layer.kind == LayerKind::add_layer_norm) partial = std::max(partial, layer_norm_partial_floats(channels));
    if (layer.kind == LayerKind::attention) ++attentions_;
  }
  partial_ = memory_.keep_array<float>(partial);
  seeds_ = memory_.keep_array<long long>(2 * static_cast<std::size_t>(attentions_) + 1);
  // Values by number: fewer than four by attention and pass.
  scalars_.reserve(8 * static_cast<std::size_t>(attentions_) + 8);
  if (network_.input >= 0) {
    input = memory_.keep(bytes(network_.shape(network_.input)));
    value(network_.input).data = input;
  } else {
    input = memory_.keep(network_.labels() * sizeof(int));
  }
  if (request_.rehearsal) return;
  const StepState start{0, request_.precision == GpuPrecision::fp16 ? 65536.0F : 1.0F, 0, 0, 0};
  cuda_call(cudaMemcpy(state, &start, sizeof start, cudaMemcpyHostToDevice), "copy to the GPU");
}

const void* GpuNetwork::narrow(int parameter) const {
  const auto offset = network_.parameter(parameter).offset;
  if (type_ == GpuType::fp32) return parameters + offset;
  return static_cast<const char*>(narrow_) + offset * gpu_bytes(type_);
}

void* GpuNetwork::narrow_gradient(int parameter) const {
  const auto offset = network_.parameter(parameter).offset;
  if (type_ == GpuType::fp32) return gradients + offset;
  return static_cast<char*>(narrow_gradients_) + offset * gpu_bytes(type_);
}

GpuDropout GpuNetwork::dropout(const Layer& layer) const {
  return {layer.dropout.kept, dropout_base(request_.seed, request_.rank), layer.dropout.id};
}

void GpuNetwork::refresh(cudaStream_t stream) {
  if (type_ != GpuType::fp32) {
    narrow_copy(type_, parameters, narrow_, static_cast<std::int64_t>(network_.parameter_space), stream);
  }
}

cudaEvent_t GpuNetwork::event() {
  if (next_event_ == events_.size()) {
    cudaEvent_t event = nullptr;
    cuda_call(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "create an event");
    events_.push_back(event);
  }
  return events_[next_event_++];
}

/// `to` goes on after what is on `from` so far.
void GpuNetwork::fork(cudaStream_t from, cudaStream_t to) {
  auto* const reached = event();
  cuda_call(cudaEventRecord(reached, from), "record an event");
  cuda_call(cudaStreamWaitEvent(to, reached, 0), "wait on a stream");
}

void GpuNetwork::enqueue_step(cudaStream_t stream, bool with_ranks) {
  next_event_ = 0;
  with_ranks_ = with_ranks;
  for (const auto& part : work_) part.work(stream);
  cuda_call(cudaGetLastError(), "launch a kernel");
}

std::vector<GpuNetwork::PartTime> GpuNetwork::profile(cudaStream_t stream, int repeats) {
  std::vector<PartTime> times;
  for (const auto& part : work_) times.push_back({part.what, 0});
  std::vector<cudaEvent_t> marks(work_.size() + 1);
  for (auto& mark : marks) cuda_call(cudaEventCreate(&mark), "create an event");
  for (int repeat = 0; repeat < repeats; ++repeat) {
    next_event_ = 0;
    cuda_call(cudaEventRecord(marks[0], stream), "record an event");
    for (std::size_t i = 0; i < work_.size(); ++i) {
      work_[i].work(stream);
      fork(side_, stream);
      cuda_call(cudaEventRecord(marks[i + 1], stream), "record an event");
    }
    cuda_call(cudaEventSynchronize(marks.back()), "time a step's parts");
    for (std::size_t i = 0; i < work_.size(); ++i) {
      float milliseconds = 0;
      cuda_call(cudaEventElapsedTime(&milliseconds, marks[i], marks[i + 1]), "read a timer");
      times[i].seconds += milliseconds / 1e3 / repeats;
    }
  }
  for (auto* const mark : marks) cudaEventDestroy(mark);
  return times;
}

void GpuNetwork::forward(std::size_t index) {
  const auto& layer = network_.layers[index];
  const auto& in = layer.in >= 0 ? network_.shape(layer.in) : TensorShape{};
  switch (layer.kind) {
    case LayerKind::convolution:
      return convolution(layer);
    case LayerKind::batch_norm:
      return batch_norm(index);
    case LayerKind::max_pool:
      if (!layers_[index].fused) throw std::runtime_error("pooling without a norm before it is not for GPUs");
      return;
    case LayerKind::mean_pool: {
      value(layer.out).data = memory_.keep(bytes(network_.shape(layer.out)));
      return also("pool", [=, this, x = value(layer.in).data, y = value(layer.out).data](cudaStream_t stream) {
        mean_pool(type_, in.n, in.h * in.w, in.c, x, y, stream);
      });
    }
    case LayerKind::linear:
      return linear(layer);
    case LayerKind::embedding:
      return embedding(layer);
    case LayerKind::attention:
      return attention(index);
    case LayerKind::drop_out: {
      auto* const x = value(layer.in).data;
      value(layer.out).data = x;  // in place: the bits say what was dropped
      const auto count = static_cast<std::int64_t>(in.count());
      layers_[index].signs = memory_.keep_array<std::uint8_t>(in.count() / 8);
      return also("dropout forward", [=, this, bits = layers_[index].signs, how = dropout(layer)](cudaStream_t stream) {
        drop_rows(type_, count, how, state, x, x, bits, stream);
      });
    }
    case LayerKind::add_layer_norm:
      return add_norm(index);
  }
}

void GpuNetwork::backward(std::size_t index) {
  const auto& layer = network_.layers[index];
  switch (layer.kind) {
    case LayerKind::convolution:
      convolution_back(layer);
      break;
    case LayerKind::batch_norm:
      batch_norm_back(index);
      break;
    case LayerKind::max_pool:
      return;  // the norm before it does it
    case LayerKind::mean_pool: {
      const auto& in = network_.shape(layer.in);
      auto dx = memory_.lend(bytes(in));
      also("pool", [=, this, dy = value(layer.out).back.at(0).get(), to = dx.get()](cudaStream_t stream) {
        mean_pool_back(type_, in.n, in.h * in.w, in.c, dy, to, stream);
      });
      value(layer.in).back.push_back(std::move(dx));
      break;
    }
    case LayerKind::linear:
      linear_back(layer);
      break;
    case LayerKind::embedding:
      embedding_back(layer);
      break;
    case LayerKind::attention:
      attention_back(index);
      break;
    case LayerKind::drop_out:
      drop_back(index);
      break;
    case LayerKind::add_layer_norm:
      add_norm_back(index);
      break;
  }
  value(layer.out).back.clear();
  if (layer.weight >= 0) finish_buckets(network_.parameter(layer.weight).offset);
}

void GpuNetwork::finish_buckets(std::size_t finished) {
  if (unsent_ - finished < bucket_elements && finished != 0) return;
  flush(finished, unsent_);
  unsent_ = finished;
}

/// The gradients of this stretch of parameters are complete: added up over the ranks, and used, while the backward
/// pass goes on.
void GpuNetwork::flush(std::size_t begin, std::size_t end) {
  const auto first = stretches_.size();
  std::int64_t most = 0;
  if (type_ != GpuType::fp32) {
    for (const auto& layer : network_.layers) {
      if (layer.kind != LayerKind::convolution) continue;
      const auto& p = network_.parameter(layer.weight);
      if (p.offset < begin || p.offset >= end) continue;
      stretches_.push_back({static_cast<std::int64_t>(p.offset), static_cast<std::int64_t>(p.count)});
      most = std::max(most, stretches_.back().count);
    }
  }
  const auto stretches = static_cast<int>(stretches_.size() - first);
  const bool all = end == network_.parameter_space;
  also("update", [=, this](cudaStream_t stream) {
    fork(stream, side_);
    widen(type_, stretches_there_ + first, stretches, most, narrow_gradients_, gradients, side_);
    if (request_.all_reduce && with_ranks_) {
      request_.all_reduce(gradients + begin, end - begin + (all ? passengers : 0), side_);
    }
    if (request_.precision == GpuPrecision::fp16) return;  // only once all are known to be numbers
    update(type_, {parameters, momentum, gradients, narrow_}, static_cast<std::int64_t>(begin),
           static_cast<std::int64_t>(end - begin), request_.rate, state, side_);
  });
}

std::shared_ptr<GpuNetwork::Convolution> GpuNetwork::convolve(const Layer& layer, int direction, bool with_statistics) {
  auto made = std::make_shared<Convolution>();
  if (request_.rehearsal) return made;
  const auto in = network_.shape(layer.in), out = network_.shape(layer.out);
  CudnnGraph graph(libraries_->cudnn);
  const auto type = cudnn_type(type_);
  const auto x = graph.tensor({in.n, in.c, in.h, in.w}, nhwc(in.h, in.w, in.c), type);
  const auto w = graph.tensor({out.c, in.c, layer.kernel, layer.kernel}, nhwc(layer.kernel, layer.kernel, in.c), type);
  const auto y = graph.tensor({out.n, out.c, out.h, out.w}, nhwc(out.h, out.w, out.c), type);
  graph.convolution(static_cast<CudnnGraph::Direction>(direction), x, w, y, layer.padding, layer.stride);
  if (with_statistics) {
    const CudnnGraph::Extents column{1, out.c, 1, 1}, strides{out.c, 1, out.c, out.c};
    const auto sums = graph.tensor(column, strides, CUDNN_DATA_FLOAT);
    const auto squares = graph.tensor(column, strides, CUDNN_DATA_FLOAT);
    graph.statistics(y, sums, squares);
  }
  CudnnWish wish;
  wish.tensor_cores = request_.precision != GpuPrecision::fp32;
  wish.most_workspace = workspace_bytes;
  wish.most = 10;
  made->plans = graph.plans({libraries_->cudnn_handle, {}}, wish);
  return made;
}

void GpuNetwork::convolution(const Layer& layer) {
  const auto out = network_.shape(layer.out);
  auto* const y = value(layer.out).data = memory_.keep(bytes(out));
  LayerState* own = nullptr;
  const Layer* norm = nullptr;
  for (std::size_t i = 0; i < network_.layers.size(); ++i) {
    if (network_.layers[i].kind != LayerKind::batch_norm || network_.layers[i].in != layer.out) continue;
    norm = &network_.layers[i];
    own = &layers_[i];
  }
  if (norm == nullptr) throw std::runtime_error("a convolution without a norm behind it is not for GPUs");
  own->statistics = memory_.keep_array<float>(9 * static_cast<std::size_t>(out.c));
  const NormShape shape{type_, static_cast<std::int64_t>(out.rows()), out.c};
  const NormMemory memory{own->statistics, partial_, counters_};
  float* const sums = own->statistics + 7 * static_cast<std::size_t>(out.c);
  float* const squares = sums + out.c;

  // Statistics of their own, or along with the convolution: whichever is faster. The latter are suspected
  // of giving other bits each time (docs/training.md), though cuDNN does not say so of these plans.
  const auto plan = convolve(layer, 0);
  const auto alone = plan->plans.size();
  if (type_ != GpuType::fp32 && !request_.rehearsal && !request_.same_bits) {
    const auto fused = convolve(layer, 0, true);
    plan->plans.insert(plan->plans.end(), fused->plans.begin(), fused->plans.end());
  }
  const std::vector<CudnnPointer> pointers{{0, value(layer.in).data}, {1, narrow(layer.weight)}, {2, y}};
  auto more = pointers;
  more.insert(more.end(), {{3, sums}, {4, squares}});
  const auto run = [=, this, running = running + norm->running, scale = wide(norm->weight),
                    shift = wide(norm->bias)](cudaStream_t stream) {
    const bool fused = plan->chosen >= alone;
    libraries_->cudnn.call(libraries_->cudnn.set_stream(libraries_->cudnn_handle, stream), "use a stream");
    execute(libraries_->cudnn, libraries_->cudnn_handle, plan->plans[plan->chosen], fused ? more : pointers,
            workspace_);
    if (fused) return norm_finish(shape, sums, squares, scale, shift, running, memory, stream);
    norm_statistics(shape, y, scale, shift, running, memory, stream);
  };
  also("convolution forward", run);
  if (request_.rehearsal) return;
  const auto& in = network_.shape(layer.in);
  tuner_.tune(
      fmt::format("forward {}x{}x{}x{} to {} by {} stride {}", in.n, in.h, in.w, in.c, out.c, layer.kernel,
                  layer.stride),
      plan->plans.size(), [plan](std::size_t way) { plan->chosen = way; }, run, main_);
}

void GpuNetwork::convolution_back(const Layer& layer) {
  const auto& in = network_.shape(layer.in);
  auto& back = value(layer.out).back;
  const auto dy = back.at(0);
  const auto prepare = [&](int direction, const std::vector<CudnnPointer>& pointers, const char* name) -> Work {
    const auto plan = convolve(layer, direction);
    const auto run = [=, this](cudaStream_t stream) {
      libraries_->cudnn.call(libraries_->cudnn.set_stream(libraries_->cudnn_handle, stream), "use a stream");
      execute(libraries_->cudnn, libraries_->cudnn_handle, plan->plans[plan->chosen], pointers, workspace_);
    };
    if (!request_.rehearsal) {
      tuner_.tune(
          fmt::format("{} {}x{}x{}x{} to {} by {} stride {}", name, in.n, in.h, in.w, in.c, network_.shape(layer.out).c,
                      layer.kernel, layer.stride),
          plan->plans.size(), [plan](std::size_t way) { plan->chosen = way; }, run, main_);
    }
    return run;
  };
  also("convolution weight gradient",
       prepare(2, {{0, value(layer.in).data}, {1, narrow_gradient(layer.weight)}, {2, dy.get()}}, "weight gradient"));
  if (layer.in == network_.input) return;
  auto dx = memory_.lend(bytes(in));
  also("convolution input gradient",
       prepare(1, {{0, dx.get()}, {1, narrow(layer.weight)}, {2, dy.get()}}, "input gradient"));
  value(layer.in).back.push_back(std::move(dx));
}

void GpuNetwork::batch_norm(std::size_t index) {
  const auto& layer = network_.layers[index];
  const auto in = network_.shape(layer.in);
  auto& own = layers_[index];
  const NormShape shape{type_, static_cast<std::int64_t>(in.rows()), in.c};
  const NormMemory memory{own.statistics, partial_, counters_};
  const auto* const x = value(layer.in).data;
  const bool pooled = index + 1 < network_.layers.size() && network_.layers[index + 1].kind == LayerKind::max_pool &&
                      layer.relu && layer.residual < 0;
  if (pooled) {
    const auto& next = network_.layers[index + 1];
    const auto out = network_.shape(next.out);
    layers_[index + 1].fused = true;
    own.signs = memory_.keep_array<std::uint8_t>(out.count());
    auto* const y = value(next.out).data = memory_.keep(bytes(out));
    also("norm forward", [=, places = own.signs](cudaStream_t stream) {
      norm_pool(shape, {in.n, in.h, in.w, out.h, out.w}, x, y, places, memory, stream);
    });
    return;
  }
  auto* const y = value(layer.out).data = memory_.keep(bytes(in));
  const void* const residual = layer.residual >= 0 ? value(layer.residual).data : nullptr;
  if (layer.relu && residual != nullptr) own.signs = memory_.keep_array<std::uint8_t>(in.count() / 8);
  also("norm forward", [=, signs = own.signs, relu = layer.relu](cudaStream_t stream) {
    norm_apply(shape, x, residual, relu, y, signs, memory, stream);
  });
}

void GpuNetwork::batch_norm_back(std::size_t index) {
  const auto& layer = network_.layers[index];
  const auto in = network_.shape(layer.in);
  auto& own = layers_[index];
  const bool pooled = index + 1 < network_.layers.size() && layers_[index + 1].fused;
  const int from = pooled ? network_.layers[index + 1].out : layer.out;
  auto& parts = value(from).back;
  if (parts.empty() || parts.size() > 2) throw std::runtime_error(layer.name + " has too many gradients");
  NormBack back;
  back.first = parts[0].get();
  back.second = parts.size() > 1 ? parts[1].get() : nullptr;
  back.relu = layer.relu && layer.residual < 0;
  if (pooled) {
    const auto& out = network_.shape(from);
    back.places = own.signs;
    back.pool = {in.n, in.h, in.w, out.h, out.w};
  } else {
    back.signs = own.signs;
  }
  if (layer.residual >= 0) {
    // What goes on unchanged to the residual takes the place of what came.
    back.sum = parts[0].get();
    value(layer.residual).back.push_back(parts[0]);
  }
  auto dx = memory_.lend(bytes(in));
  const NormShape shape{type_, static_cast<std::int64_t>(in.rows()), in.c};
  const NormMemory memory{own.statistics, partial_, counters_};
  also("norm backward", [=, this, x = value(layer.in).data, to = dx.get()](cudaStream_t stream) {
    norm_back(shape, x, back, to, slope(layer.weight), slope(layer.bias), memory, stream);
  });
  value(layer.in).back.push_back(std::move(dx));
  if (pooled) parts.clear();
}

std::shared_ptr<CublasProduct> GpuNetwork::product(const std::string& what, const ProductShape& shape, const void* a,
                                                   const void* b, float beta, void* d) {
  if (request_.rehearsal) return nullptr;
  auto made = std::make_shared<CublasProduct>(libraries_->lt, libraries_->lt_handle, request_.precision, shape,
                                              workspace_bytes);
  if (made->algorithms() == 0) return nullptr;
  tuner_.tune(
      fmt::format("{} {}x{}x{} batch {} beta {} epilogue {}", what, shape.m, shape.n, shape.k, shape.batch, beta,
                  static_cast<int>(shape.epilogue)),
      made->algorithms(), [made](std::size_t way) { made->choose(way); },
      [=, this](cudaStream_t stream) { made->run(1, a, b, beta, d, workspace_, stream); }, main_);
  return made;
}

void GpuNetwork::linear(const Layer& layer) {
  const auto in = network_.shape(layer.in), out = network_.shape(layer.out);
  auto* const y = value(layer.out).data = memory_.keep(bytes(out));
  const auto* const x = value(layer.in).data;
  const auto* const w = narrow(layer.weight);
  ProductShape shape{out.c, static_cast<std::int64_t>(out.rows()), in.c, true, false, in.c, in.c, out.c};
  shape.epilogue = layer.relu ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_BIAS;
  shape.bias = narrow(layer.bias);
  const auto made = product("linear", shape, w, x, 0, y);
  if (!made && !request_.rehearsal) throw std::runtime_error("cuBLASLt has no product for " + layer.name);
  also(fmt::format("product forward to {}", out.c),
       [=, this](cudaStream_t stream) { made->run(1, w, x, 0, y, workspace_, stream); });
}

void GpuNetwork::linear_back(const Layer& layer) {
  const auto in = network_.shape(layer.in), out = network_.shape(layer.out);
  const auto rows = static_cast<std::int64_t>(out.rows());
  const auto dy = value(layer.out).back.at(0);
  const auto* const x = value(layer.in).data;
  auto* const dw = slope(layer.weight);
  auto* const db = slope(layer.bias);

  ProductShape weights{in.c, out.c, rows, false, true, in.c, out.c, in.c};
  weights.wide_result = true;
  weights.epilogue = CUBLASLT_EPILOGUE_BGRADB;
  weights.bias = db;
  auto made = product("weight gradient", weights, x, dy.get(), 0, dw);
  const bool with_bias = made != nullptr;
  if (!with_bias) {
    weights.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    weights.bias = nullptr;
    made = product("weight gradient", weights, x, dy.get(), 0, dw);
  }
  also(fmt::format("product weight gradient {} by {}", out.c, in.c), [=, this, from = dy.get()](cudaStream_t stream) {
    made->run(1, x, from, 0, dw, workspace_, stream);
    if (!with_bias) column_sums({type_, rows, out.c}, from, db, stream);
  });

  const auto* const w = narrow(layer.weight);
  ProductShape inputs{in.c, rows, out.c, false, false, in.c, out.c, in.c};
  auto& parts = value(layer.in).back;
  const float beta = parts.empty() ? 0.0F : 1.0F;
  if (parts.empty()) parts.push_back(memory_.lend(bytes(in)));
  auto* const dx = parts[0].get();
  const auto back = product("input gradient", inputs, w, dy.get(), beta, dx);
  also(fmt::format("product input gradient to {}{}", in.c, beta > 0 ? ", added" : ""),
       [=, this, from = dy.get()](cudaStream_t stream) { back->run(1, w, from, beta, dx, workspace_, stream); });
}

void GpuNetwork::drop_back(std::size_t index) {
  const auto& layer = network_.layers[index];
  const auto dx = value(layer.out).back.at(0);
  const auto count = static_cast<std::int64_t>(network_.shape(layer.in).count());
  also("dropout backward",
       [=, this, data = dx.get(), bits = layers_[index].signs, scale = static_cast<float>(layer.dropout.scale())](
           cudaStream_t stream) { mask_rows(type_, count, data, bits, scale, data, stream); });
  value(layer.in).back.push_back(dx);
}

void GpuNetwork::attention(std::size_t index) {
  const auto& layer = network_.layers[index];
  const auto out = network_.shape(layer.out);
  auto& own = layers_[index];
  int before = 0;
  for (std::size_t i = 0; i < index; ++i) before += network_.layers[i].kind == LayerKind::attention ? 1 : 0;
  own.seed = seeds_ + std::ptrdiff_t{2} * before;
  auto* const y = value(layer.out).data = memory_.keep(bytes(out));
  const AttentionShape shape{
      out.n, out.h, layer.heads, out.c / layer.heads, layer.dropout.kept / 65536.0, cudnn_type(type_)};
  const auto plan = std::make_shared<Convolution>();
  AttentionForward t{};
  if (type_ != GpuType::fp32 && !request_.rehearsal) {
    CudnnGraph graph(libraries_->cudnn), back(libraries_->cudnn);
    t = attention_forward(graph, shape);
    const CudnnWish wish{true, 6, static_cast<std::int64_t>(workspace_bytes)};
    plan->plans = graph.plans({libraries_->cudnn_handle, {}}, wish);
    attention_backward(back, shape);
    if (back.plans({libraries_->cudnn_handle, {}}, {true, 1, static_cast<std::int64_t>(2 * workspace_bytes)}).empty()) {
      plan->plans.clear();
    }
  }
  own.fused = !plan->plans.empty() || (request_.rehearsal && type_ != GpuType::fp32);
  if (!own.fused) return slow_attention(index);
  attention_ = "cuDNN, in one pass";
  own.statistics = memory_.keep_array<float>(out.rows() * static_cast<std::size_t>(layer.heads));
  const auto width = static_cast<std::size_t>(out.c) * gpu_bytes(type_);
  const auto* const q = static_cast<const char*>(value(layer.in).data);
  scalars_.push_back(1 / std::sqrt(static_cast<float>(shape.width)));
  const float* const scale = &scalars_.back();
  scalars_.push_back(-1e30F);
  const float* const masked = &scalars_.back();
  scalars_.push_back(static_cast<float>(layer.dropout.scale()));
  const float* const kept = &scalars_.back();
  std::vector<CudnnPointer> pointers{
      {t.q, q},         {t.k, q + width},  {t.v, q + 2 * width}, {t.y, y}, {t.statistics, own.statistics},
      {t.scale, scale}, {t.masked, masked}};
  if (t.seed >= 0) {
    pointers.insert(pointers.end(), {{t.seed, own.seed}, {t.offset, own.seed + 1}, {t.kept_scale, kept}});
  }
  const auto run = [=, this](cudaStream_t stream) {
    libraries_->cudnn.call(libraries_->cudnn.set_stream(libraries_->cudnn_handle, stream), "use a stream");
    execute(libraries_->cudnn, libraries_->cudnn_handle, plan->plans[plan->chosen], pointers, workspace_);
  };
  also("attention forward", run);
  if (request_.rehearsal) return;
  tuner_.tune(
      fmt::format("attention {}x{}x{}", out.n, out.h, out.c), plan->plans.size(),
      [plan](std::size_t way) { plan->chosen = way; }, run, main_);
}

void GpuNetwork::attention_back(std::size_t index) {
  const auto& layer = network_.layers[index];
  auto& own = layers_[index];
  if (!own.fused) return slow_attention_back(index);
  const auto out = network_.shape(layer.out), in = network_.shape(layer.in);
  const auto dy = value(layer.out).back.at(0);
  auto dqkv = memory_.lend(bytes(in));
  const AttentionShape shape{
      out.n, out.h, layer.heads, out.c / layer.heads, layer.dropout.kept / 65536.0, cudnn_type(type_)};
  const auto plan = std::make_shared<Convolution>();
  AttentionBackward t{};
  if (!request_.rehearsal) {
    CudnnGraph graph(libraries_->cudnn);
    t = attention_backward(graph, shape);
    plan->plans =
        graph.plans({libraries_->cudnn_handle, {}}, {true, 6, static_cast<std::int64_t>(2 * workspace_bytes)});
  }
  std::int64_t needed = 0;
  for (const auto& one : plan->plans) needed = std::max(needed, one.workspace);
  const auto workspace = memory_.lend(static_cast<std::size_t>(needed) + 512);
  const auto sums = memory_.lend(out.rows() * static_cast<std::size_t>(layer.heads) * sizeof(float));
  const auto width = static_cast<std::size_t>(out.c) * gpu_bytes(type_);
  const auto* const q = static_cast<const char*>(value(layer.in).data);
  auto* const dq = static_cast<char*>(dqkv.get());
  scalars_.push_back(1 / std::sqrt(static_cast<float>(shape.width)));
  const float* const scale = &scalars_.back();
  scalars_.push_back(-1e30F);
  const float* const masked = &scalars_.back();
  scalars_.push_back(static_cast<float>(layer.dropout.scale()));
  const float* const kept = &scalars_.back();
  scalars_.push_back(static_cast<float>(1 / layer.dropout.scale()));
  const float* const share = &scalars_.back();
  std::vector<CudnnPointer> pointers{{t.q, q},
                                     {t.k, q + width},
                                     {t.v, q + 2 * width},
                                     {t.y, value(layer.out).data},
                                     {t.dy, dy.get()},
                                     {t.dq, dq},
                                     {t.dk, dq + width},
                                     {t.dv, dq + 2 * width},
                                     {t.statistics, own.statistics},
                                     {t.sums, sums.get()},
                                     {t.scale, scale},
                                     {t.masked, masked},
                                     {t.share, share}};
  if (t.seed >= 0) {
    pointers.insert(pointers.end(), {{t.seed, own.seed}, {t.offset, own.seed + 1}, {t.kept_scale, kept}});
  }
  const auto run = [=, this, space = workspace.get()](cudaStream_t stream) {
    libraries_->cudnn.call(libraries_->cudnn.set_stream(libraries_->cudnn_handle, stream), "use a stream");
    execute(libraries_->cudnn, libraries_->cudnn_handle, plan->plans[plan->chosen], pointers, space);
  };
  also("attention backward", run);
  value(layer.in).back.push_back(std::move(dqkv));
  if (request_.rehearsal) return;
  tuner_.tune(
      fmt::format("attention gradient {}x{}x{}", out.n, out.h, out.c), plan->plans.size(),
      [plan](std::size_t way) { plan->chosen = way; }, run, main_);
}

namespace {

/// The products of attention, one call for all heads of a sample.
ProductShape head_product(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t heads) {
  ProductShape shape{m, n, k};
  shape.batch = heads;
  return shape;
}

}  // namespace

void GpuNetwork::slow_attention(std::size_t index) {
  const auto& layer = network_.layers[index];
  const auto out = network_.shape(layer.out);
  auto& own = layers_[index];
  attention_ = "products and a softmax between them";
  const std::int64_t length = out.h, wide = std::int64_t{3} * out.c, heads = layer.heads, part = out.c / heads;
  const std::int64_t stride = (length + 7) / 8 * 8, square = length * stride;
  const auto square_bytes = static_cast<std::size_t>(out.n * heads * square) * gpu_bytes(type_);
  own.weights = memory_.keep(square_bytes);
  if (square_a_ == nullptr) square_a_ = memory_.keep(square_bytes);
  if (square_b_ == nullptr) square_b_ = memory_.keep(square_bytes);
  const auto* const qkv = static_cast<const char*>(value(layer.in).data);
  auto* const y = static_cast<char*>(value(layer.out).data);
  const auto size = static_cast<std::int64_t>(gpu_bytes(type_));

  auto scores = head_product(length, length, part, heads);
  scores.turn_a = true;
  scores.lda = scores.ldb = wide;
  scores.stride_a = scores.stride_b = part;
  scores.ldd = stride;
  scores.stride_d = square;
  auto values = head_product(part, length, length, heads);
  values.lda = wide;
  values.stride_a = part;
  values.ldb = stride;
  values.stride_b = square;
  values.ldd = out.c;
  values.stride_d = part;
  const auto first = product("scores", scores, qkv + out.c * size, qkv, 0, square_a_);
  const auto second = product("weighted values", values, qkv + std::int64_t{2} * out.c * size, square_b_, 0, y);
  const SoftmaxShape shape{type_, out.n * heads, out.h, static_cast<int>(stride)};
  const float scale = 1 / std::sqrt(static_cast<float>(part));
  also("attention forward", [=, this, weights = own.weights, how = dropout(layer)](cudaStream_t stream) {
    for (std::int64_t n = 0; n < out.n; ++n) {
      const auto* const q = qkv + n * length * wide * size;
      first->run(scale, q + out.c * size, q, 0, static_cast<char*>(square_a_) + n * heads * square * size, workspace_,
                 stream);
    }
    causal_softmax(shape, square_a_, weights, square_b_, how, state, stream);
    for (std::int64_t n = 0; n < out.n; ++n) {
      const auto* const q = qkv + n * length * wide * size;
      second->run(1, q + std::int64_t{2} * out.c * size, static_cast<char*>(square_b_) + n * heads * square * size, 0,
                  y + n * length * out.c * size, workspace_, stream);
    }
  });
}

void GpuNetwork::slow_attention_back(std::size_t index) {
  const auto& layer = network_.layers[index];
  const auto out = network_.shape(layer.out);
  auto& own = layers_[index];
  const std::int64_t length = out.h, wide = std::int64_t{3} * out.c, heads = layer.heads, part = out.c / heads;
  const std::int64_t stride = (length + 7) / 8 * 8, square = length * stride;
  const auto size = static_cast<std::int64_t>(gpu_bytes(type_));
  const auto dy = value(layer.out).back.at(0);
  auto dqkv = memory_.lend(bytes(network_.shape(layer.in)));
  const auto* const qkv = static_cast<const char*>(value(layer.in).data);
  const auto* const from = static_cast<const char*>(dy.get());
  auto* const to = static_cast<char*>(dqkv.get());

  auto weights = head_product(length, length, part, heads);
  weights.turn_a = true;
  weights.lda = wide;
  weights.stride_a = part;
  weights.ldb = out.c;
  weights.stride_b = part;
  weights.ldd = stride;
  weights.stride_d = square;
  auto values = head_product(part, length, length, heads);
  values.turn_b = true;
  values.lda = out.c;
  values.stride_a = part;
  values.ldb = stride;
  values.stride_b = square;
  values.ldd = wide;
  values.stride_d = part;
  auto queries = values;
  queries.turn_b = false;
  queries.lda = wide;
  auto keys = queries;
  keys.turn_b = true;
  const auto first = product("weights' gradient", weights, qkv + std::int64_t{2} * out.c * size, from, 0, square_a_);
  const auto second = product("values' gradient", values, from, square_b_, 0, to + std::int64_t{2} * out.c * size);
  const auto third = product("queries' gradient", queries, qkv + out.c * size, square_a_, 0, to);
  const auto fourth = product("keys' gradient", keys, qkv, square_a_, 0, to + out.c * size);
  const SoftmaxShape shape{type_, out.n * heads, out.h, static_cast<int>(stride)};
  const float scale = 1 / std::sqrt(static_cast<float>(part));
  also("attention backward", [=, this, kept = own.weights, how = dropout(layer)](cudaStream_t stream) {
    auto* const a = static_cast<char*>(square_a_);
    auto* const b = static_cast<char*>(square_b_);
    for (std::int64_t n = 0; n < out.n; ++n) {
      first->run(1, qkv + (n * length * wide + std::int64_t{2} * out.c) * size, from + n * length * out.c * size, 0,
                 a + n * heads * square * size, workspace_, stream);
    }
    causal_softmax_back(shape, kept, a, b, how, state, scale, stream);
    for (std::int64_t n = 0; n < out.n; ++n) {
      const auto* const q = qkv + n * length * wide * size;
      auto* const d = to + n * length * wide * size;
      const auto at = n * heads * square * size;
      second->run(1, from + n * length * out.c * size, b + at, 0, d + std::int64_t{2} * out.c * size, workspace_,
                  stream);
      third->run(1, q + out.c * size, a + at, 0, d, workspace_, stream);
      fourth->run(1, q, a + at, 0, d + out.c * size, workspace_, stream);
    }
  });
  value(layer.in).back.push_back(std::move(dqkv));
}

void GpuNetwork::add_norm(std::size_t index) {
  const auto& layer = network_.layers[index];
  const auto out = network_.shape(layer.out);
  auto& own = layers_[index];
  own.statistics = memory_.keep_array<float>(2 * out.rows());
  auto* const y = value(layer.out).data = memory_.keep(bytes(out));
  const RowShape shape{type_, static_cast<std::int64_t>(out.rows()), out.c};
  also("layer norm forward", [=, this, x = value(layer.in).data, residual = value(layer.residual).data,
                              saved = own.statistics, how = dropout(layer)](cudaStream_t stream) {
    add_layer_norm(shape, x, residual, wide(layer.weight), wide(layer.bias), how, state, y, saved, stream);
  });
}

void GpuNetwork::add_norm_back(std::size_t index) {
  const auto& layer = network_.layers[index];
  const auto out = network_.shape(layer.out);
  const auto dy = value(layer.out).back.at(0);
  auto dx = memory_.lend(bytes(out)), dresidual = memory_.lend(bytes(out));
  const RowShape shape{type_, static_cast<std::int64_t>(out.rows()), out.c};
  also("layer norm backward", [=, this, sum = value(layer.in).data, saved = layers_[index].statistics, from = dy.get(),
                               to = dx.get(), also_to = dresidual.get(), how = dropout(layer)](cudaStream_t stream) {
    add_layer_norm_back(shape, sum, from, wide(layer.weight), saved, how, state, to, also_to, slope(layer.weight),
                        slope(layer.bias), partial_, stream);
  });
  value(layer.in).back.push_back(std::move(dx));
  value(layer.residual).back.push_back(std::move(dresidual));
}

void GpuNetwork::embedding(const Layer& layer) {
  const auto out = network_.shape(layer.out);
  auto* const y = value(layer.out).data = memory_.keep(bytes(out));
  auto* const positions = memory_.keep_array<float>(static_cast<std::size_t>(out.h) * static_cast<std::size_t>(out.c));
  const EmbeddingShape shape{type_, static_cast<std::int64_t>(out.rows()), out.h, out.c,
                             network_.parameter(layer.weight).shape[0]};
  also("embedding", [=, this, how = dropout(layer)](cudaStream_t stream) {
    embed(shape, static_cast<const int*>(input), wide(layer.weight), positions, how, state, y, stream);
  });
  if (request_.rehearsal) return;
  std::vector<float> table;
  for (int position = 0; position < out.h; ++position) {
    for (int c = 0; c < out.c; ++c) table.push_back(static_cast<float>(position_encoding(position, c, out.c)));
  }
  cuda_call(cudaMemcpy(positions, table.data(), table.size() * sizeof(float), cudaMemcpyHostToDevice),
            "copy to the GPU");
}

void GpuNetwork::embedding_back(const Layer& layer) {
  const auto out = network_.shape(layer.out);
  const auto dy = value(layer.out).back.at(0);
  const EmbeddingShape shape{type_, static_cast<std::int64_t>(out.rows()), out.h, out.c,
                             network_.parameter(layer.weight).shape[0]};
  also("embedding backward", [=, this, from = dy.get(), how = dropout(layer)](cudaStream_t stream) {
    embed_back(shape, static_cast<const int*>(input), from, how, state, slope(layer.weight), stream);
  });
}

void GpuNetwork::losses_and_scores() {
  const auto out = network_.shape(network_.output);
  const RowShape shape{type_, static_cast<std::int64_t>(out.rows()), out.c};
  const float share = 1 / (static_cast<float>(out.rows()) * static_cast<float>(request_.world));
  auto* const scores = value(network_.output).data;
  also("loss", [=, this](cudaStream_t stream) {
    cross_entropy(shape, scores, labels, share, state, row_losses_, stream);
    mean_loss(row_losses_, shape.rows, state, losses, loss_capacity, stream);
  });
  // The scores have become their gradients.
  value(network_.output).back.push_back(Lease(scores, [](void*) {}));
}

}  // namespace rv::workers
