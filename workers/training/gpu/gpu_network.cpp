#include "workers/training/gpu/gpu_network.h"

#include <stdexcept>

#include "workers/training/gpu/layers/attention_layer.h"
#include "workers/training/gpu/layers/batch_norm_layer.h"
#include "workers/training/gpu/layers/convolution_layer.h"
#include "workers/training/gpu/layers/linear_layer.h"
#include "workers/training/gpu/layers/row_layers.h"

namespace rv::workers {

GpuNetwork::GpuNetwork(const Network& network, GpuRequest request)
    : step_(network, std::move(request)), buckets_(step_) {
  step_.work.add("step", [this](cudaStream_t stream) {
    begin_step(step_.numbers.state, dropout_base(step_.request.seed, step_.request.rank), step_.attention.seeds,
               step_.attention.layers, stream);
    step_.work.fork(stream, step_.work.side());
  });
  const auto layers = step_.layers.size();
  const auto made = [&](std::size_t passes) {
    if (step_.request.made) step_.request.made(passes, 2 * layers);
  };
  for (std::size_t i = 0; i < layers; ++i) {
    forward(i);
    made(i + 1);
  }
  add_loss(step_);
  for (std::size_t i = layers; i-- > 0;) {
    backward(i);
    made(2 * layers - i);
  }
  buckets_.close();
  step_.tuner.close();
}

std::string GpuNetwork::cudnn_version() const {
  return step_.libraries ? step_.libraries->cudnn.version() : "";
}

void GpuNetwork::refresh(cudaStream_t stream) {
  if (step_.type != GpuType::fp32) {
    narrow_copy(step_.type, step_.numbers.parameters, step_.narrow_parameters,
                static_cast<std::int64_t>(step_.network.parameter_space), stream);
  }
}

void GpuNetwork::enqueue_step(cudaStream_t stream, bool with_ranks) {
  buckets_.with_ranks = with_ranks;
  step_.work.enqueue(stream);
}

std::vector<StepWork::PartTime> GpuNetwork::profile(cudaStream_t stream, int repeats) {
  return step_.work.profile(stream, repeats);
}

void GpuNetwork::forward(std::size_t index) {
  const auto& layer = step_.network.layers[index];
  switch (layer.kind) {
    case LayerKind::convolution:
      return add_convolution(step_, layer);
    case LayerKind::batch_norm:
      return add_batch_norm(step_, index);
    case LayerKind::max_pool:
      if (!step_.layers[index].fused) throw std::runtime_error("pooling without a norm before it is not for GPUs");
      return;
    case LayerKind::mean_pool:
      return add_mean_pool(step_, layer);
    case LayerKind::linear:
      return add_linear(step_, layer);
    case LayerKind::embedding:
      return add_embedding(step_, layer);
    case LayerKind::attention:
      return add_attention(step_, index);
    case LayerKind::drop_out:
      return add_dropout(step_, index);
    case LayerKind::add_layer_norm:
      return add_residual_norm(step_, index);
  }
}

void GpuNetwork::backward(std::size_t index) {
  const auto& layer = step_.network.layers[index];
  switch (layer.kind) {
    case LayerKind::convolution:
      add_convolution_back(step_, layer);
      break;
    case LayerKind::batch_norm:
      add_batch_norm_back(step_, index);
      break;
    case LayerKind::max_pool:
      return;  // the norm before it includes it
    case LayerKind::mean_pool:
      add_mean_pool_back(step_, layer);
      break;
    case LayerKind::linear:
      add_linear_back(step_, layer);
      break;
    case LayerKind::embedding:
      add_embedding_back(step_, layer);
      break;
    case LayerKind::attention:
      add_attention_back(step_, index);
      break;
    case LayerKind::drop_out:
      add_dropout_back(step_, index);
      break;
    case LayerKind::add_layer_norm:
      add_residual_norm_back(step_, index);
      break;
  }
  step_.value(layer.out).back.clear();
  if (layer.weight >= 0) buckets_.finished(step_.network.parameter(layer.weight).offset);
}

}  // namespace rv::workers
