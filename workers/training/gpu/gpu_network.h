#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "workers/training/gpu/gpu_memory.h"
#include "workers/training/gpu/gpu_product.h"
#include "workers/training/gpu/row_kernels.h"
#include "workers/training/gpu/tuner.h"
#include "workers/training/gpu/update_kernels.h"
#include "workers/training/network/network.h"

namespace rv::workers {

struct GpuLibraries;

/// How a network is computed on a GPU.
struct GpuRequest {
  GpuPrecision precision = GpuPrecision::bf16;
  std::uint64_t seed = 42;
  int rank = 0, world = 1;
  float rate = 0.01F;
  bool rehearsal = false;    ///< counts memory, and does nothing
  std::vector<int> choices;  ///< of ways to compute, made before
  bool same_bits = false;    ///< only ways to compute that give the same bits every time
  /// Adds up over the ranks, in place, on a stream; empty: one rank alone.
  std::function<void(float*, std::size_t, cudaStream_t)> all_reduce;
};

/// A network on the current CUDA device: a list of things to enqueue for one whole training step, from the input's
/// memory to new weights. Nothing in it waits for the GPU, so it can be recorded once and run as one.
class GpuNetwork {
 public:
  GpuNetwork(const Network& network, GpuRequest request);
  ~GpuNetwork();
  GpuNetwork(const GpuNetwork&) = delete;
  GpuNetwork& operator=(const GpuNetwork&) = delete;

  /// One step on this stream; what it does on others is joined at the end. `with_ranks` false: without adding up over
  /// the ranks.
  void enqueue_step(cudaStream_t stream, bool with_ranks = true);

  /// The mean seconds of each part of a step, of `repeats` steps in which nothing runs beside anything else.
  struct PartTime {
    std::string what;
    double seconds = 0;
  };
  std::vector<PartTime> profile(cudaStream_t stream, int repeats);

  static constexpr int loss_capacity = 1 << 16;
  void* input = nullptr;  ///< images in the stored type, or tokens
  int* labels = nullptr;
  float* losses = nullptr;  ///< a ring by step; then one of accuracies
  float* parameters = nullptr;
  float* momentum = nullptr;
  float* gradients = nullptr;  ///< parameter_space, then what travels along with them
  float* running = nullptr;
  StepState* state = nullptr;
  static constexpr std::size_t passengers = 64;

  /// After parameters were set from outside.
  void refresh(cudaStream_t stream);
  Tuner& tuner() { return tuner_; }
  std::size_t memory_bytes() const { return memory_.total(); }
  const std::string& attention() const { return attention_; }  ///< how it is computed, for the report
  std::string cudnn_version() const;

 private:
  using Work = std::function<void(cudaStream_t)>;
  using Lease = GpuMemory::Lease;
  struct Value {
    void* data = nullptr;
    std::vector<Lease> back;  ///< gradients that are to be added
  };
  struct LayerState;

  void allocate();
  void forward(std::size_t index);
  void backward(std::size_t index);
  void finish_buckets(std::size_t finished);
  void flush(std::size_t begin, std::size_t end);

  void convolution(const Layer& layer);
  void convolution_back(const Layer& layer);
  void batch_norm(std::size_t index);
  void batch_norm_back(std::size_t index);
  void linear(const Layer& layer);
  void linear_back(const Layer& layer);
  void attention(std::size_t index);
  void attention_back(std::size_t index);
  void slow_attention(std::size_t index);
  void slow_attention_back(std::size_t index);
  void add_norm(std::size_t index);
  void add_norm_back(std::size_t index);
  void embedding(const Layer& layer);
  void embedding_back(const Layer& layer);
  void losses_and_scores();
  void drop_back(std::size_t index);

  struct Convolution;
  std::shared_ptr<Convolution> convolve(const Layer& layer, int direction, bool with_statistics = false);
  /// Null where the libraries have no way for this epilogue.
  std::shared_ptr<CublasProduct> product(const std::string& what, const ProductShape& shape, const void* a,
                                         const void* b, float beta, void* d);

  Value& value(int tensor) { return values_[static_cast<std::size_t>(tensor)]; }
  std::size_t bytes(const TensorShape& shape) const { return shape.count() * gpu_bytes(type_); }
  const void* narrow(int parameter) const;
  void* narrow_gradient(int parameter) const;
  float* wide(int parameter) const { return parameters + network_.parameter(parameter).offset; }
  float* slope(int parameter) const { return gradients + network_.parameter(parameter).offset; }
  GpuDropout dropout(const Layer& layer) const;
  void also(std::string what, Work work) { work_.push_back({std::move(what), std::move(work)}); }
  cudaEvent_t event();
  void fork(cudaStream_t from, cudaStream_t to);

  Network network_;
  GpuRequest request_;
  GpuType type_;
  GpuMemory memory_;
  Tuner tuner_;
  std::unique_ptr<GpuLibraries> libraries_;
  std::vector<Value> values_;
  std::vector<LayerState> layers_;
  struct Part {
    std::string what;
    Work work;
  };
  std::vector<Part> work_;
  cudaStream_t main_ = nullptr, side_ = nullptr;
  std::vector<cudaEvent_t> events_;
  std::size_t next_event_ = 0;
  bool with_ranks_ = true;  ///< of the step that is being enqueued

  void* narrow_ = nullptr;            ///< the weights' working copies
  void* narrow_gradients_ = nullptr;  ///< of convolutions, before they are widened
  void* workspace_ = nullptr;
  float *partial_ = nullptr, *row_losses_ = nullptr;
  unsigned int* counters_ = nullptr;
  long long* seeds_ = nullptr;
  int attentions_ = 0;
  void *square_a_ = nullptr, *square_b_ = nullptr;  ///< of slow attention
  std::size_t unsent_ = 0;                          ///< the end of what no bucket has yet
  std::vector<Stretch> stretches_;
  Stretch* stretches_there_ = nullptr;
  std::vector<float> scalars_;  ///< what cuDNN reads by value; reserved once, so that its addresses stay
  std::string attention_ = "none";
};

}  // namespace rv::workers
