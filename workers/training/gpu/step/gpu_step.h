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

/// Parameters of computing a network on a GPU.
struct GpuRequest {
  GpuPrecision precision = GpuPrecision::bf16;
  std::uint64_t seed = 42;
  int rank = 0, world = 1;
  float rate = 0.01F;
  bool rehearsal = false;  ///< only count the memory of the step, without using a GPU, a library or a kernel
  /// In a rehearsal, which has no libraries: the memory of attention; empty: attention is computed by products.
  std::function<AttentionWorkspace(const AttentionShape&)> attention_workspace;
  std::vector<int> choices;  ///< algorithms that were chosen before
  /// Called with the number of layer passes that have been built, and the total: building may take minutes. May be
  /// empty.
  std::function<void(std::size_t, std::size_t)> made;
  bool same_bits = false;  ///< use only algorithms that give the same bits every time
  /// Sums over the ranks, in place, on a stream; empty: there is one rank.
  std::function<void(float*, std::size_t, cudaStream_t)> all_reduce;
  /// If `exchanges_gradients`: the exchange with the other ranks, of ExchangeSpace::total bytes.
  RankExchange* exchange = nullptr;

  /// Whether few ranks send each other gradients in their stored type, and each updates a share of the weights
  /// (ShardedUpdate). Each gradient is rounded once, like those of products in PyTorch's autocast.
  bool exchanges_gradients() const { return world > 1 && narrows_gradients(); }
  /// Whether all products leave their gradients in the stored type. With more ranks they are summed in fp32, and
  /// converting those of large linear layers for that would cost more than it saves.
  bool narrows_gradients() const { return world <= RankExchange::most_ranks && storage_of(precision) != GpuType::fp32; }
};

/// The input and output of a step, in GPU memory.
struct GpuNumbers {
  static constexpr int loss_capacity = 1 << 16;

  void* input = nullptr;  ///< images in the stored type, or tokens
  int* labels = nullptr;
  float* losses = nullptr;  ///< a ring buffer by step, followed by one of accuracies
  float* parameters = nullptr;
  float* momentum = nullptr;
  float* gradients = nullptr;  ///< parameter_space, then the numbers that are sent with them
  float* running = nullptr;
  StepState* state = nullptr;
  GradientKind* kinds = nullptr;  ///< GpuStep::kinds, after the step has been built
};

/// A value between two layers.
struct GpuValue {
  void* data = nullptr;
  std::vector<GpuMemory::Lease> back;  ///< gradients to be added
  bool columns_summed =
      false;  ///< the producer of the gradient has stored the sums of its columns where GpuStep::bias_behind says
};

/// The data that a layer keeps from its forward pass for its backward pass.
struct LayerState {
  float* statistics = nullptr;    ///< of a norm; of add_layer_norm by row; of attention by row
  std::uint8_t* signs = nullptr;  ///< one bit or one byte per element
  void* weights = nullptr;        ///< of attention by products
  std::uint32_t* kept = nullptr;  ///< of attention by kernels: the weights that dropout kept
  long long* seed = nullptr;
  bool fused = false;  ///< the previous layer does its work, in one or both passes
};

/// Data shared by all attention layers.
struct AttentionMemory {
  int layers = 0;
  long long* seeds = nullptr;
  std::vector<float> scalars;                     ///< reserved once, so that their addresses do not change
  void *square_a = nullptr, *square_b = nullptr;  ///< by products
  std::string way = "none";                       ///< the method, for the report
  std::string slow_since;                       ///< why it is not computed in one pass although cuDNN could; else empty
  std::optional<AttentionWorkspace> workspace;  ///< set by the first layer that needs it

  /// Returns the address of a number for cuDNN, valid for the lifetime of this object.
  const float* scalar(float value) { return &scalars.emplace_back(value); }
};

/// The errors of convolutions in fp32: RandomConvolution::error of the algorithms.
struct ConvolutionErrors {
  /// An algorithm with a larger error is not used. The best have 1e-7 to 3e-6, depending on the length of their sums;
  /// the worst one of ResNet-50, measured on an H100 with 256 pictures, had 2e-4.
  static constexpr double most = 1e-5;

  int checked = 0, refused = 0;
  double largest = 0;  ///< of the algorithms that are used
};

/// A training step under construction: a network's memory on the current CUDA device, and the operations that its
/// layers add. It must not be moved, because these operations refer to it.
struct GpuStep {
  /// Allocates what does not depend on single layers. Throws std::runtime_error for a network that is not supported on
  /// GPUs.
  GpuStep(const Network& network, GpuRequest request);

  GpuValue& value(int tensor) { return values[static_cast<std::size_t>(tensor)]; }
  std::size_t bytes(const TensorShape& shape) const { return shape.count() * gpu_bytes(type); }
  /// Of a parameter: its fp32 value, its gradient, and both in the type of the layers' products.
  float* wide(int parameter) const { return numbers.parameters + network.parameter(parameter).offset; }
  float* slope(int parameter) const { return numbers.gradients + network.parameter(parameter).offset; }
  const void* narrow(int parameter) const;
  void* narrow_gradient(int parameter) const;
  /// Declares that its gradient is written there; with fp32 both places are the same.
  void comes_narrow(int parameter);
  /// Where to write the sums of the columns of this tensor's gradient, if its producer can compute them: the bias
  /// gradient of the linear layer that wrote the tensor. Null: nowhere, or the gradient has several producers.
  float* bias_behind(int tensor);
  /// All gradients, and the memory of the update.
  Gradients gradients(Gradients::From from) const;
  UpdateMemory update_memory() const;
  GpuDropout dropout(const Layer& layer) const;
  /// The memory of attention; all layers have the same shape.
  const AttentionWorkspace& attention_workspace(const AttentionShape& shape);

  Network network;
  GpuRequest request;
  GpuType type;
  GpuMemory memory;
  /// declared first, because the objects created by them must not outlive them
  std::unique_ptr<GpuLibraries> libraries;
  Tuner tuner;
  std::map<std::string, std::vector<CudnnPlan>> plans;  ///< created once for all layers of the same shape
  ConvolutionErrors convolution_errors;
  std::vector<GpuValue> values;
  std::vector<LayerState> layers;
  StepWork work;

  GpuNumbers numbers;
  AttentionMemory attention;
  std::optional<ExchangeSpace> exchange_space;  ///< if ranks update weights together: where weights and momentum are
  void* narrow_parameters = nullptr;            ///< working copies of the weights
  void* narrow_gradients = nullptr;             ///< of products; of all parameters if ranks exchange gradients
  std::vector<GradientKind> kinds;              ///< array of each block's gradients
  void* workspace = nullptr;
  std::size_t workspace_bytes = 0;
  float *partial = nullptr, *row_losses = nullptr;
  unsigned int* counters = nullptr;

 private:
  /// The weights; in the exchange's memory if gradients are exchanged.
  void allocate_parameters();
  void allocate_gradients();
  void allocate_input();
  /// What no layer keeps: the step's state and results, the libraries' workspace, and partial sums.
  void allocate_scratch();
  void allocate_attention();
  /// Writes the state of the first step.
  void begin();
};

}  // namespace rv::workers
