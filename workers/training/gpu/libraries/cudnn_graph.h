#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workers/training/gpu/libraries/cudnn_library.h"

namespace rv::workers {

/// A descriptor of cuDNN's graph API. Attributes are set by value; errors are exceptions.
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

/// The memory of a tensor, or the value of a scalar, for one execution.
struct CudnnPointer {
  std::int64_t tensor;
  const void* data;
};

/// An execution plan of a graph.
struct CudnnPlan {
  CudnnPart plan;
  std::vector<CudnnPart> alive;  ///< the descriptors that it refers to
  std::int64_t workspace = 0;
  int index = 0;  ///< among all proposed plans, the same on every GPU of a model
};

/// The target of a graph: a handle, or the properties of a device, which need not exist here.
struct CudnnTarget {
  cudnnHandle_t handle = nullptr;
  CudnnPart properties;
};

/// Which plans are acceptable. Plans that may give different bits each time never are.
struct CudnnPlanRules {
  bool tensor_cores = true;  ///< false: fp32 stays fp32
  int most = 8;
  std::int64_t most_workspace = std::int64_t{1} << 30;
  bool fallback = false;  ///< also cuDNN's fallback engines, even if others exist
};

/// A graph of operations in cuDNN's terms: tensors first, then operations that connect them, then its plans.
class CudnnGraph {
 public:
  explicit CudnnGraph(const Cudnn& cudnn) : cudnn_(cudnn) {}

  using Extents = std::vector<std::int64_t>;
  std::int64_t tensor(const Extents& dimensions, const Extents& strides, cudnnDataType_t type);
  std::int64_t between(const Extents& dimensions, const Extents& strides, cudnnDataType_t type = CUDNN_DATA_FLOAT);
  /// A scalar passed by value; its pointer must be given with the others.
  std::int64_t scalar(std::size_t rank, cudnnDataType_t type = CUDNN_DATA_FLOAT);

  enum class Direction { forward, data, weights };
  void convolution(Direction direction, std::int64_t x, std::int64_t w, std::int64_t y, std::int64_t padding,
                   std::int64_t stride);
  void pointwise(cudnnPointwiseMode_t mode, std::int64_t x, std::int64_t b, std::int64_t y, std::int64_t t = -1,
                 std::int64_t axis = -1, cudnnDataType_t computed = CUDNN_DATA_FLOAT);
  void reduce(cudnnReduceTensorOp_t operation, std::int64_t x, std::int64_t y);
  void multiply(std::int64_t a, std::int64_t b, std::int64_t c);
  void reshape(std::int64_t x, std::int64_t y);
  /// The sums and sums of squares of each channel.
  void statistics(std::int64_t x, std::int64_t sums, std::int64_t squares);
  void random(double kept, std::int64_t seed, std::int64_t offset, std::int64_t y);

  std::vector<CudnnPlan> plans(const CudnnTarget& target, const CudnnPlanRules& wish);
  /// cuDNN's last message about a proposal that could not become a plan; empty: none.
  const std::string& refusal() const { return refusal_; }

 private:
  std::int64_t add(const Extents& dimensions, const Extents& strides, cudnnDataType_t type, bool is_virtual,
                   bool by_value);
  cudnnBackendDescriptor_t at(std::int64_t tensor) const { return tensors_[static_cast<std::size_t>(tensor)]->get(); }
  CudnnPart make(cudnnBackendDescriptorType_t type) { return std::make_shared<CudnnDescriptor>(cudnn_, type); }
  bool read_engine(cudnnBackendDescriptor_t configuration, CudnnDescriptor& engine) const;
  /// The numbers that distinguish a configuration from others; empty: cuDNN does not report them.
  std::vector<std::int64_t> engine_and_knobs(cudnnBackendDescriptor_t configuration) const;
  bool wanted(cudnnBackendDescriptor_t engine_configuration, const CudnnPlanRules& wish) const;
  CudnnPart finished(const CudnnTarget& target);  ///< the whole graph
  /// Configurations of engines that may work, the most promising first; nothing if this heuristic fails.
  std::optional<std::vector<CudnnPart>> proposals(const CudnnPart& graph, cudnnBackendHeurMode_t mode,
                                                  const CudnnTarget& target);
  /// The plan of a configuration; nothing if it can't run this graph or needs more workspace than allowed.
  std::optional<CudnnPlan> plan_of(const CudnnPart& graph, const CudnnPart& configuration, const CudnnTarget& target,
                                   const CudnnPlanRules& wish);

  const Cudnn& cudnn_;
  std::vector<CudnnPart> tensors_, parts_, operations_;
  std::string refusal_;
};

/// Runs a plan on the handle's stream.
void execute(const Cudnn& cudnn, cudnnHandle_t handle, const CudnnPlan& plan, const std::vector<CudnnPointer>& pointers,
             void* workspace);

}  // namespace rv::workers
