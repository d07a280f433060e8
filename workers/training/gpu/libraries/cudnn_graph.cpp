#include "workers/training/gpu/libraries/cudnn_graph.h"

#include <algorithm>
#include <map>
#include <set>

namespace rv::workers {
namespace {

constexpr auto descriptor = CUDNN_TYPE_BACKEND_DESCRIPTOR;
using Descriptors = std::vector<cudnnBackendDescriptor_t>;

}  // namespace

CudnnDescriptor::CudnnDescriptor(const Cudnn& cudnn, cudnnBackendDescriptorType_t type) : cudnn_(cudnn) {
  cudnn.call(cudnn.create_descriptor(type, &data_), "make a descriptor");
}

CudnnDescriptor::~CudnnDescriptor() {
  if (data_ != nullptr) cudnn_.destroy_descriptor(data_);
}

CudnnDescriptor& CudnnDescriptor::finish(const char* what) {
  cudnn_.call(cudnn_.finalize(data_), what);
  return *this;
}

std::int64_t CudnnGraph::add(const Extents& dimensions, const Extents& strides, cudnnDataType_t type, bool is_virtual,
                             bool by_value) {
  const auto id = static_cast<std::int64_t>(tensors_.size());
  auto tensor = make(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  tensor->set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, std::vector{type}, "tensor type");
  tensor->set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, dimensions, "tensor dimensions");
  tensor->set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, strides, "tensor strides");
  tensor->set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, std::vector{id}, "tensor name");
  tensor->set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, std::vector<std::int64_t>{16}, "tensor alignment");
  // std::vector<bool> has no contiguous array.
  if (is_virtual) {
    cudnn_.call(cudnn_.set_attribute(tensor->get(), CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, &is_virtual),
                "virtual tensor");
  }
  if (by_value) {
    cudnn_.call(cudnn_.set_attribute(tensor->get(), CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1, &by_value),
                "scalar");
  }
  tensor->finish("tensor");
  tensors_.push_back(std::move(tensor));
  return id;
}

std::int64_t CudnnGraph::tensor(const Extents& dimensions, const Extents& strides, cudnnDataType_t type) {
  return add(dimensions, strides, type, false, false);
}

std::int64_t CudnnGraph::between(const Extents& dimensions, const Extents& strides, cudnnDataType_t type) {
  return add(dimensions, strides, type, true, false);
}

std::int64_t CudnnGraph::scalar(std::size_t rank, cudnnDataType_t type) {
  return add(Extents(rank, 1), Extents(rank, 1), type, false, true);
}

void CudnnGraph::convolution(Direction direction, std::int64_t x, std::int64_t w, std::int64_t y, std::int64_t padding,
                             std::int64_t stride) {
  auto how = make(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  const Extents paddings{padding, padding}, strides{stride, stride}, ones{1, 1};
  how->set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, std::vector{CUDNN_DATA_FLOAT}, "convolution type");
  how->set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, std::vector{CUDNN_CROSS_CORRELATION}, "mode");
  how->set(CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, ones, "dilations");
  how->set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, strides, "strides");
  how->set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, paddings, "padding");
  how->set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, paddings, "padding");
  how->set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, Extents{2}, "dimensions");
  how->finish("convolution");
  struct Names {
    cudnnBackendDescriptorType_t type;
    cudnnBackendAttributeName_t how, x, w, y, alpha, beta;
  };
  const Names names = direction == Direction::forward ? Names{CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
                                                              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                                                              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
                                                              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                                                              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
                                                              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
                                                              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA}
                      : direction == Direction::data
                          ? Names{CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
                                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
                                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
                                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
                                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA}
                          : Names{CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
                                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
                                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
                                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
                                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
                                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
                                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA};
  auto operation = make(names.type);
  operation->set(names.how, descriptor, Descriptors{how->get()}, "convolution");
  operation->set(names.x, descriptor, Descriptors{at(x)}, "convolution x");
  operation->set(names.w, descriptor, Descriptors{at(w)}, "convolution w");
  operation->set(names.y, descriptor, Descriptors{at(y)}, "convolution y");
  operation->set(names.alpha, CUDNN_TYPE_FLOAT, std::vector<float>{1}, "alpha");
  operation->set(names.beta, CUDNN_TYPE_FLOAT, std::vector<float>{0}, "beta");
  operation->finish("convolution");
  parts_.push_back(std::move(how));
  operations_.push_back(std::move(operation));
}

void CudnnGraph::pointwise(cudnnPointwiseMode_t mode, std::int64_t x, std::int64_t b, std::int64_t y, std::int64_t t,
                           std::int64_t axis, cudnnDataType_t computed) {
  auto how = make(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  how->set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, std::vector{mode}, "pointwise mode");
  how->set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, std::vector{computed}, "pointwise type");
  if (axis >= 0) how->set(CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, Extents{axis}, "axis");
  how->finish("pointwise");
  auto operation = make(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  operation->set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, descriptor, Descriptors{how->get()}, "pointwise");
  operation->set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, descriptor, Descriptors{at(x)}, "pointwise x");
  if (b >= 0) operation->set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, descriptor, Descriptors{at(b)}, "pointwise b");
  if (t >= 0) operation->set(CUDNN_ATTR_OPERATION_POINTWISE_TDESC, descriptor, Descriptors{at(t)}, "pointwise t");
  operation->set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, descriptor, Descriptors{at(y)}, "pointwise y");
  operation->finish("pointwise");
  parts_.push_back(std::move(how));
  operations_.push_back(std::move(operation));
}

void CudnnGraph::reduce(cudnnReduceTensorOp_t kind, std::int64_t x, std::int64_t y) {
  auto how = make(CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
  how->set(CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, std::vector{kind}, "reduction");
  how->set(CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, std::vector{CUDNN_DATA_FLOAT}, "reduction type");
  how->finish("reduction");
  auto operation = make(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);
  operation->set(CUDNN_ATTR_OPERATION_REDUCTION_DESC, descriptor, Descriptors{how->get()}, "reduction");
  operation->set(CUDNN_ATTR_OPERATION_REDUCTION_XDESC, descriptor, Descriptors{at(x)}, "reduction x");
  operation->set(CUDNN_ATTR_OPERATION_REDUCTION_YDESC, descriptor, Descriptors{at(y)}, "reduction y");
  operation->finish("reduction");
  parts_.push_back(std::move(how));
  operations_.push_back(std::move(operation));
}

void CudnnGraph::multiply(std::int64_t a, std::int64_t b, std::int64_t c) {
  auto how = make(CUDNN_BACKEND_MATMUL_DESCRIPTOR);
  how->set(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, std::vector{CUDNN_DATA_FLOAT}, "product type");
  how->finish("product");
  auto operation = make(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
  operation->set(CUDNN_ATTR_OPERATION_MATMUL_DESC, descriptor, Descriptors{how->get()}, "product");
  operation->set(CUDNN_ATTR_OPERATION_MATMUL_ADESC, descriptor, Descriptors{at(a)}, "product a");
  operation->set(CUDNN_ATTR_OPERATION_MATMUL_BDESC, descriptor, Descriptors{at(b)}, "product b");
  operation->set(CUDNN_ATTR_OPERATION_MATMUL_CDESC, descriptor, Descriptors{at(c)}, "product c");
  operation->finish("product");
  parts_.push_back(std::move(how));
  operations_.push_back(std::move(operation));
}

void CudnnGraph::reshape(std::int64_t x, std::int64_t y) {
  auto operation = make(CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR);
  operation->set(CUDNN_ATTR_OPERATION_RESHAPE_XDESC, descriptor, Descriptors{at(x)}, "reshape x");
  operation->set(CUDNN_ATTR_OPERATION_RESHAPE_YDESC, descriptor, Descriptors{at(y)}, "reshape y");
  operation->finish("reshape");
  operations_.push_back(std::move(operation));
}

void CudnnGraph::statistics(std::int64_t x, std::int64_t sums, std::int64_t squares) {
  auto operation = make(CUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR);
  operation->set(CUDNN_ATTR_OPERATION_GENSTATS_MODE, CUDNN_TYPE_GENSTATS_MODE, std::vector{CUDNN_GENSTATS_SUM_SQSUM},
                 "statistics");
  operation->set(CUDNN_ATTR_OPERATION_GENSTATS_MATH_PREC, CUDNN_TYPE_DATA_TYPE, std::vector{CUDNN_DATA_FLOAT},
                 "statistics' type");
  operation->set(CUDNN_ATTR_OPERATION_GENSTATS_XDESC, descriptor, Descriptors{at(x)}, "statistics of");
  operation->set(CUDNN_ATTR_OPERATION_GENSTATS_SUMDESC, descriptor, Descriptors{at(sums)}, "sums");
  operation->set(CUDNN_ATTR_OPERATION_GENSTATS_SQSUMDESC, descriptor, Descriptors{at(squares)}, "squares");
  operation->finish("statistics");
  operations_.push_back(std::move(operation));
}

void CudnnGraph::random(double kept, std::int64_t seed, std::int64_t offset, std::int64_t y) {
  auto how = make(CUDNN_BACKEND_RNG_DESCRIPTOR);
  how->set(CUDNN_ATTR_RNG_DISTRIBUTION, CUDNN_TYPE_RNG_DISTRIBUTION, std::vector{CUDNN_RNG_DISTRIBUTION_BERNOULLI},
           "distribution");
  how->set(CUDNN_ATTR_RNG_BERNOULLI_DIST_PROBABILITY, CUDNN_TYPE_DOUBLE, std::vector<double>{kept}, "probability");
  how->finish("random numbers");
  auto operation = make(CUDNN_BACKEND_OPERATION_RNG_DESCRIPTOR);
  operation->set(CUDNN_ATTR_OPERATION_RNG_DESC, descriptor, Descriptors{how->get()}, "random numbers");
  operation->set(CUDNN_ATTR_OPERATION_RNG_SEED, descriptor, Descriptors{at(seed)}, "seed");
  operation->set(CUDNN_ATTR_OPERATION_RNG_OFFSET_DESC, descriptor, Descriptors{at(offset)}, "offset");
  operation->set(CUDNN_ATTR_OPERATION_RNG_YDESC, descriptor, Descriptors{at(y)}, "random numbers' tensor");
  operation->finish("random numbers");
  parts_.push_back(std::move(how));
  operations_.push_back(std::move(operation));
}

bool CudnnGraph::read_engine(cudnnBackendDescriptor_t configuration, CudnnDescriptor& engine) const {
  auto* into = engine.get();
  std::int64_t count = 0;
  return cudnn_.get_attribute(configuration, CUDNN_ATTR_ENGINECFG_ENGINE, descriptor, 1, &count, &into) ==
         CUDNN_STATUS_SUCCESS;
}

std::vector<std::int64_t> CudnnGraph::engine_and_knobs(cudnnBackendDescriptor_t configuration) const {
  CudnnDescriptor engine(cudnn_, CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  if (!read_engine(configuration, engine)) return {};
  const auto read = [&](cudnnBackendDescriptor_t from, cudnnBackendAttributeName_t name,
                        cudnnBackendAttributeType_t type, auto& value) {
    std::int64_t count = 0;
    return cudnn_.get_attribute(from, name, type, 1, &count, &value) == CUDNN_STATUS_SUCCESS;
  };
  std::int64_t index = 0;
  if (!read(engine.get(), CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, index)) return {};
  std::vector<std::unique_ptr<CudnnDescriptor>> choices;
  Descriptors into;
  for (int i = 0; i < CUDNN_KNOB_TYPE_COUNTS; ++i) {
    choices.push_back(std::make_unique<CudnnDescriptor>(cudnn_, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR));
    into.push_back(choices.back()->get());
  }
  std::int64_t count = 0;
  if (cudnn_.get_attribute(configuration, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, descriptor, CUDNN_KNOB_TYPE_COUNTS, &count,
                           into.data()) != CUDNN_STATUS_SUCCESS) {
    return {};
  }
  std::map<std::int64_t, std::int64_t> knobs;
  for (std::int64_t i = 0; i < std::min<std::int64_t>(count, CUDNN_KNOB_TYPE_COUNTS); ++i) {
    auto* const choice = into[static_cast<std::size_t>(i)];
    cudnnBackendKnobType_t knob{};
    std::int64_t value = 0;
    if (!read(choice, CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, knob) ||
        !read(choice, CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, value)) {
      return {};
    }
    knobs[knob] = value;
  }
  std::vector<std::int64_t> all{index};
  for (const auto& [knob, value] : knobs) all.insert(all.end(), {knob, value});
  return all;
}

bool CudnnGraph::wanted(cudnnBackendDescriptor_t configuration, const CudnnPlanRules& wish) const {
  CudnnDescriptor engine(cudnn_, CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  if (!read_engine(configuration, engine)) return false;
  std::int64_t count = 0;
  cudnnBackendNumericalNote_t notes[CUDNN_NUMERICAL_NOTE_TYPE_COUNT];
  if (cudnn_.get_attribute(engine.get(), CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
                           CUDNN_NUMERICAL_NOTE_TYPE_COUNT, &count, notes) != CUDNN_STATUS_SUCCESS) {
    return false;
  }
  const auto has = [&](cudnnBackendNumericalNote_t note) {
    return std::find(notes, notes + count, note) != notes + count;
  };
  if (has(CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC)) return false;
  if (wish.tensor_cores) return true;
  return !has(CUDNN_NUMERICAL_NOTE_TENSOR_CORE) && !has(CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS);
}

CudnnPart CudnnGraph::finished(const CudnnTarget& target) {
  auto graph = make(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  Descriptors operations;
  for (const auto& operation : operations_) operations.push_back(operation->get());
  if (target.handle != nullptr) {
    graph->set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, std::vector{target.handle}, "handle");
  }
  graph->set(CUDNN_ATTR_OPERATIONGRAPH_OPS, descriptor, operations, "operations");
  graph->finish("graph");
  return graph;
}

std::optional<std::vector<CudnnPart>> CudnnGraph::proposals(const CudnnPart& graph, cudnnBackendHeurMode_t mode,
                                                            const CudnnTarget& target) {
  auto heuristic = make(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  heuristic->set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, descriptor, Descriptors{graph->get()}, "graph");
  heuristic->set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, std::vector{mode}, "mode");
  if (target.properties) {
    heuristic->set(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, descriptor, Descriptors{target.properties->get()}, "device");
  }
  if (cudnn_.finalize(heuristic->get()) != CUDNN_STATUS_SUCCESS) return std::nullopt;
  constexpr std::size_t most = 24;
  std::vector<CudnnPart> configurations;
  Descriptors into;
  for (std::size_t i = 0; i < most; ++i) {
    configurations.push_back(make(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR));
    into.push_back(configurations.back()->get());
  }
  std::int64_t count = 0;
  if (cudnn_.get_attribute(heuristic->get(), CUDNN_ATTR_ENGINEHEUR_RESULTS, descriptor, most, &count, into.data()) !=
      CUDNN_STATUS_SUCCESS) {
    return std::nullopt;
  }
  configurations.resize(std::min(most, static_cast<std::size_t>(count)));
  return configurations;
}

std::optional<CudnnPlan> CudnnGraph::plan_of(const CudnnPart& graph, const CudnnPart& configuration,
                                             const CudnnTarget& target, const CudnnPlanRules& wish) {
  CudnnPlan plan;
  plan.plan = make(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
  if (target.handle != nullptr) {
    plan.plan->set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, std::vector{target.handle}, "handle");
  }
  if (target.properties) {
    plan.plan->set(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, descriptor, Descriptors{target.properties->get()}, "device");
  }
  plan.plan->set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, descriptor, Descriptors{configuration->get()},
                 "configuration");
  // Some proposals can't run this graph.
  if (const auto status = cudnn_.finalize(plan.plan->get()); status != CUDNN_STATUS_SUCCESS) {
    refusal_ = cudnn_.error_text(status);
    return std::nullopt;
  }
  std::int64_t one = 0;
  if (cudnn_.get_attribute(plan.plan->get(), CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &one,
                           &plan.workspace) != CUDNN_STATUS_SUCCESS ||
      plan.workspace > wish.most_workspace) {
    return std::nullopt;
  }
  plan.alive = tensors_;
  plan.alive.insert(plan.alive.end(), parts_.begin(), parts_.end());
  plan.alive.insert(plan.alive.end(), operations_.begin(), operations_.end());
  plan.alive.insert(plan.alive.end(), {graph, configuration});
  return plan;
}

std::vector<CudnnPlan> CudnnGraph::plans(const CudnnTarget& target, const CudnnPlanRules& wish) {
  const auto graph = finished(target);
  std::vector<CudnnPlan> plans;
  std::set<std::vector<std::int64_t>> known;  // the heuristics propose the same configurations, each in its own order
  int index = 0;
  for (const auto mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_B, CUDNN_HEUR_MODE_FALLBACK}) {
    const auto proposed = proposals(graph, mode, target);
    if (!proposed) continue;
    for (const auto& configuration : *proposed) {
      ++index;
      if (static_cast<int>(plans.size()) >= wish.most) return plans;
      if (!wanted(configuration->get(), wish)) continue;
      const auto identity = engine_and_knobs(configuration->get());
      if (!identity.empty() && !known.insert(identity).second) continue;
      auto plan = plan_of(graph, configuration, target, wish);
      if (!plan) continue;
      plan->index = index;
      plans.push_back(std::move(*plan));
    }
    if (mode == CUDNN_HEUR_MODE_B && !plans.empty() && !wish.fallback) break;
  }
  return plans;
}

void execute(const Cudnn& cudnn, cudnnHandle_t handle, const CudnnPlan& plan, const std::vector<CudnnPointer>& pointers,
             void* workspace) {
  std::vector<std::int64_t> ids;
  std::vector<void*> data;
  for (const auto& pointer : pointers) {
    ids.push_back(pointer.tensor);
    data.push_back(const_cast<void*>(pointer.data));
  }
  CudnnDescriptor pack(cudnn, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, ids, "tensors");
  pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, data, "memory");
  pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, std::vector<void*>{workspace}, "workspace");
  pack.finish("execution");
  cudnn.call(cudnn.execute(handle, plan.plan->get(), pack.get()), "execute");
}

}  // namespace rv::workers
