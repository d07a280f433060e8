#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workers/training/gpu/libraries/cudnn_library.h"

namespace rv::workers {

/// One descriptor of cuDNN's graph API. Setting is by value; what goes wrong is an exception.
class CudnnDescriptor {
 public:
  CudnnDescriptor(const Cudnn& cudnn, cudnnBackendDescriptorType_t type);
  ~CudnnDescriptor();
  CudnnDescriptor(const CudnnDescriptor&) = delete;
  CudnnDescriptor& operator=(const CudnnDescriptor&) = delete;

  template <class T>
  CudnnDescriptor& set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, const std::vector<T>& values,
                       const char* what) {
    cudnn_.call(cudnn_.set_attribute(data_, name, type, static_cast<std::int64_t>(values.size()), values.data()), what);
    return *this;
  }
  CudnnDescriptor& finish(const char* what);
  cudnnBackendDescriptor_t get() const { return data_; }

 private:
  const Cudnn& cudnn_;
  cudnnBackendDescriptor_t data_ = nullptr;
};

using CudnnPart = std::shared_ptr<CudnnDescriptor>;

/// A tensor's memory, or a scalar's value, for one execution.
struct CudnnPointer {
  std::int64_t tensor;
  const void* data;
};

/// A way to compute a graph.
struct CudnnPlan {
  CudnnPart plan;
  std::vector<CudnnPart> alive;  ///< what it is made of
  std::int64_t workspace = 0;
  int index = 0;  ///< among all that were proposed, the same on every GPU of a kind
};

/// Where a graph is to run: a handle, or the properties of a device that need not be there.
struct CudnnTarget {
  cudnnHandle_t handle = nullptr;
  CudnnPart properties;
};

/// Which plans are wanted. Those that may give other bits the next time are never wanted.
struct CudnnWish {
  bool tensor_cores = true;  ///< false: fp32 stays fp32
  int most = 8;
  std::int64_t most_workspace = std::int64_t{1} << 30;
  bool fallback = false;  ///< also what cuDNN keeps for graphs that have nothing else, even if they have
};

/// A graph of operations, in cuDNN's terms: tensors first, then what connects them, then its plans.
class CudnnGraph {
 public:
  explicit CudnnGraph(const Cudnn& cudnn) : cudnn_(cudnn) {}

  using Extents = std::vector<std::int64_t>;
  std::int64_t tensor(const Extents& dimensions, const Extents& strides, cudnnDataType_t type);
  std::int64_t between(const Extents& dimensions, const Extents& strides, cudnnDataType_t type = CUDNN_DATA_FLOAT);
  /// By value; its pointer must be given with the others'.
  std::int64_t scalar(std::size_t rank, cudnnDataType_t type = CUDNN_DATA_FLOAT);

  enum class Direction { forward, data, weights };
  void convolution(Direction direction, std::int64_t x, std::int64_t w, std::int64_t y, std::int64_t padding,
                   std::int64_t stride);
  void pointwise(cudnnPointwiseMode_t mode, std::int64_t x, std::int64_t b, std::int64_t y, std::int64_t t = -1,
                 std::int64_t axis = -1, cudnnDataType_t computed = CUDNN_DATA_FLOAT);
  void reduce(cudnnReduceTensorOp_t operation, std::int64_t x, std::int64_t y);
  void multiply(std::int64_t a, std::int64_t b, std::int64_t c);
  void reshape(std::int64_t x, std::int64_t y);
  /// Sums and sums of squares by channel.
  void statistics(std::int64_t x, std::int64_t sums, std::int64_t squares);
  void random(double kept, std::int64_t seed, std::int64_t offset, std::int64_t y);

  std::vector<CudnnPlan> plans(const CudnnTarget& target, const CudnnWish& wish);
  /// What cuDNN said last of a proposal of its own that it could not make a plan of; empty: nothing.
  const std::string& refusal() const { return refusal_; }

 private:
  std::int64_t add(const Extents& dimensions, const Extents& strides, cudnnDataType_t type, bool is_virtual,
                   bool by_value);
  cudnnBackendDescriptor_t at(std::int64_t tensor) const { return tensors_[static_cast<std::size_t>(tensor)]->get(); }
  CudnnPart make(cudnnBackendDescriptorType_t type) { return std::make_shared<CudnnDescriptor>(cudnn_, type); }
  bool read_engine(cudnnBackendDescriptor_t configuration, CudnnDescriptor& engine) const;
  /// What makes one configuration another than the next; empty: cuDNN does not say.
  std::vector<std::int64_t> engine_and_knobs(cudnnBackendDescriptor_t configuration) const;
  bool wanted(cudnnBackendDescriptor_t engine_configuration, const CudnnWish& wish) const;
  CudnnPart finished(const CudnnTarget& target);  ///< the whole graph
  /// Configurations of engines that may do, the most promising first; nothing: this heuristic fails here.
  std::optional<std::vector<CudnnPart>> proposals(const CudnnPart& graph, cudnnBackendHeurMode_t mode,
                                                  const CudnnTarget& target);
  /// Nothing: it can't run this graph, or needs more memory than is wished.
  std::optional<CudnnPlan> plan_of(const CudnnPart& graph, const CudnnPart& configuration, const CudnnTarget& target,
                                   const CudnnWish& wish);

  const Cudnn& cudnn_;
  std::vector<CudnnPart> tensors_, parts_, operations_;
  std::string refusal_;
};

/// Runs on the handle's stream.
void execute(const Cudnn& cudnn, cudnnHandle_t handle, const CudnnPlan& plan, const std::vector<CudnnPointer>& pointers,
             void* workspace);

}  // namespace rv::workers
