#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workers/collectives/rank_exchange.h"
#include "workers/training/gpu/kernels/gpu_dropout.h"
#include "workers/training/gpu/kernels/step_state.h"
#include "workers/training/gpu/kernels/update_kernels.h"
#include "workers/training/gpu/libraries/gpu_libraries.h"
#include "workers/training/gpu/libraries/gpu_product.h"
#include "workers/training/gpu/step/exchange_space.h"
#include "workers/training/gpu/step/gpu_attention.h"
#include "workers/training/gpu/step/gpu_memory.h"
#include "workers/training/gpu/step/step_work.h"
#include "workers/training/gpu/step/tuner.h"
#include "workers/training/network/network.h"

namespace rv::workers {

/// How a network is computed on a GPU.
struct GpuRequest {
  GpuPrecision precision = GpuPrecision::bf16;
  std::uint64_t seed = 42;
  int rank = 0, world = 1;
  float rate = 0.01F;
  bool rehearsal = false;  ///< counts the memory that the step would take, without a GPU, a library or a kernel
  /// What attention takes, of a rehearsal, which has no libraries of its own; empty: it is computed by products.
  std::function<AttentionRoom(const AttentionShape&)> attention_room;
  std::vector<int> choices;  ///< of ways to compute, made before
  /// Hears how many passes of layers have been put together, which may take minutes, and of how many; or empty.
  std::function<void(std::size_t, std::size_t)> made;
  bool same_bits = false;  ///< only ways to compute that give the same bits every time
  /// Adds up over the ranks, in place, on a stream; empty: one rank alone.
  std::function<void(float*, std::size_t, cudaStream_t)> all_reduce;
  /// With the other ranks, where `exchanges_gradients`: ExchangeSpace::total bytes.
  RankExchange* exchange = nullptr;

  /// Whether few ranks send each other their gradients as they are stored, and each moves a share of the weights
  /// (ShardedUpdate). Each gradient is rounded once, as those of products are in PyTorch's autocast.
  bool exchanges_gradients() const { return world > 1 && narrows_gradients(); }
  /// Whether all products leave their gradients as they are stored. More ranks add them up in fp32 on the way, and
  /// widening those of large linear layers for it costs more than it saves.
  bool narrows_gradients() const { return world <= RankExchange::most_ranks && storage_of(precision) != GpuType::fp32; }
};

/// What a step reads and leaves, on the GPU.
struct GpuNumbers {
  static constexpr int loss_capacity = 1 << 16;

  void* input = nullptr;  ///< images in the stored type, or tokens
  int* labels = nullptr;
  float* losses = nullptr;  ///< a ring by step; then one of accuracies
  float* parameters = nullptr;
  float* momentum = nullptr;
  float* gradients = nullptr;  ///< parameter_space, then what travels along with them
  float* running = nullptr;
  StepState* state = nullptr;
  GradientKind* kinds = nullptr;  ///< GpuStep::kinds, once the step has been put together
};

/// What flows between two layers.
struct GpuValue {
  void* data = nullptr;
  std::vector<GpuMemory::Lease> back;  ///< gradients that are to be added
  bool columns_summed =
      false;  ///< who made the gradient has put the sums of its columns where GpuStep::bias_behind says
};

/// What a layer keeps from its forward pass for its backward pass.
struct LayerState {
  float* statistics = nullptr;    ///< of a norm; of add_layer_norm by row; of attention by row
  std::uint8_t* signs = nullptr;  ///< a bit or a byte by element
  void* weights = nullptr;        ///< of attention by products
  std::uint32_t* kept = nullptr;  ///< of attention by kernels: which weights dropout has left
  long long* seed = nullptr;
  bool fused = false;  ///< the layer before does its work, in one of the passes or in both
};

/// What all layers of attention share.
struct AttentionMemory {
  int layers = 0;
  long long* seeds = nullptr;
  std::vector<float> scalars;                     ///< reserved once: their addresses stay
  void *square_a = nullptr, *square_b = nullptr;  ///< by products
  std::string way = "none";                       ///< how it is computed, for the report
  std::string slow_since;                         ///< why not in one pass, where cuDNN could; else empty
  std::optional<AttentionRoom> room;              ///< once a layer has asked

  /// Where cuDNN, which takes numbers by address, finds this one as long as this lives.
  const float* scalar(float value) { return &scalars.emplace_back(value); }
};

/// How exact convolutions in fp32 are: RandomConvolution::error of the ways to compute them.
struct ConvolutionErrors {
  /// A way with a larger error is not used. The best have 1e-7 to 3e-6, depending on how many products they add up; the
  /// worst of ResNet-50's, measured on an H100 with 256 pictures, had 2e-4.
  static constexpr double most = 1e-5;

  int checked = 0, refused = 0;
  double largest = 0;  ///< of those that are used
};

/// A training step that is being put together: a network's memory on the current CUDA device, and the work that its
/// layers add. It stays where it is, because that work refers to it.
struct GpuStep {
  /// Takes what does not depend on single layers. Throws std::runtime_error for a network that is not for GPUs.
  GpuStep(const Network& network, GpuRequest request);

  GpuValue& value(int tensor) { return values[static_cast<std::size_t>(tensor)]; }
  std::size_t bytes(const TensorShape& shape) const { return shape.count() * gpu_bytes(type); }
  /// Of a parameter: itself, its gradient, and both as the layers' products take them.
  float* wide(int parameter) const { return numbers.parameters + network.parameter(parameter).offset; }
  float* slope(int parameter) const { return numbers.gradients + network.parameter(parameter).offset; }
  const void* narrow(int parameter) const;
  void* narrow_gradient(int parameter) const;
  /// That is where its gradient is to be found; of fp32 the other place is the same.
  void comes_narrow(int parameter);
  /// Where the sums of the columns of this tensor's gradient belong, if whoever makes it can add them up on the way:
  /// the bias's gradient of the linear layer that wrote it. Null: nowhere, or there are several who make it.
  float* bias_behind(int tensor);
  /// Of all parameters, and what moves them.
  Gradients gradients(Gradients::From from) const;
  UpdateMemory update_memory() const;
  GpuDropout dropout(const Layer& layer) const;
  /// Of all layers, whose shapes are the same.
  const AttentionRoom& attention_room(const AttentionShape& shape);

  Network network;
  GpuRequest request;
  GpuType type;
  GpuMemory memory;
  std::unique_ptr<GpuLibraries> libraries;  ///< before all that they have made, which must not outlive them
  Tuner tuner;
  std::map<std::string, std::vector<CudnnPlan>> plans;  ///< those of layers of the same shape are made once
  ConvolutionErrors convolution_errors;
  std::vector<GpuValue> values;
  std::vector<LayerState> layers;
  StepWork work;

  GpuNumbers numbers;
  AttentionMemory attention;
  std::optional<ExchangeSpace> exchange_space;  ///< where weights and momentum lie that ranks move together
  void* narrow_parameters = nullptr;            ///< the weights' working copies
  void* narrow_gradients = nullptr;             ///< of products; of all, where ranks exchange them
  std::vector<GradientKind> kinds;              ///< of gradients, by block
  void* workspace = nullptr;
  std::size_t workspace_bytes = 0;
  float *partial = nullptr, *row_losses = nullptr;
  unsigned int* counters = nullptr;

 private:
  void allocate();
  void allocate_parameters();
};

}  // namespace rv::workers
