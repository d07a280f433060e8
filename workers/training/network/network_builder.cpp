#include "workers/training/network/network_builder.h"

#include <cmath>

namespace rv::workers {

int NetworkBuilder::tensor(int n, int h, int w, int c) {
  network_.tensors.push_back({n, h, w, c});
  return static_cast<int>(network_.tensors.size()) - 1;
}

int NetworkBuilder::parameter(std::string name, std::vector<int> shape, Beginning beginning) {
  Parameter p;
  p.name = std::move(name);
  p.shape = std::move(shape);
  p.count = 1;
  for (const auto extent : p.shape) p.count *= static_cast<std::size_t>(extent);
  p.beginning = beginning;
  network_.parameters.push_back(std::move(p));
  return static_cast<int>(network_.parameters.size()) - 1;
}

int NetworkBuilder::fp32_parameter(std::string name, std::vector<int> shape, Beginning beginning) {
  const int index = parameter(std::move(name), std::move(shape), beginning);
  network_.parameters.back().in_fp32 = true;
  return index;
}

Layer& NetworkBuilder::add(LayerKind kind, std::string name, int in, int out) {
  Layer layer;
  layer.kind = kind;
  layer.name = std::move(name);
  layer.in = in;
  layer.out = out;
  network_.layers.push_back(std::move(layer));
  return network_.layers.back();
}

Dropout NetworkBuilder::dropout(double rate) {
  return {dropout_kept(rate), network_.layers.size()};
}

int NetworkBuilder::image(int batch, int size) {
  network_.batch = batch;
  network_.image_size = size;
  network_.input = tensor(batch, size, size, padded_image_channels);
  return network_.input;
}

int NetworkBuilder::convolution(const std::string& name, int in, int channels, int kernel, int stride) {
  const auto from = network_.shape(in);
  const int padding = kernel / 2;
  const auto side = [&](int extent) { return (extent + 2 * padding - kernel) / stride + 1; };
  const int out = tensor(from.n, side(from.h), side(from.w), channels);
  auto& layer = add(LayerKind::convolution, name, in, out);
  layer.kernel = kernel;
  layer.stride = stride;
  layer.padding = padding;
  // torchvision's initialisation: normal, with the fan-out.
  layer.weight = parameter(name + ".weight", {channels, kernel, kernel, from.c},
                           {Beginning::Kind::normal, std::sqrt(2.0 / (channels * kernel * kernel))});
  return out;
}

int NetworkBuilder::batch_norm(const std::string& name, int in, int residual, bool relu) {
  const auto from = network_.shape(in);
  const int out = tensor(from.n, from.h, from.w, from.c);
  auto& layer = add(LayerKind::batch_norm, name, in, out);
  layer.residual = residual;
  layer.relu = relu;
  layer.weight = fp32_parameter(name + ".weight", {from.c}, {Beginning::Kind::one, 0});
  layer.bias = fp32_parameter(name + ".bias", {from.c}, {});
  layer.running = static_cast<int>(network_.running_space);
  network_.running_space += 2 * static_cast<std::size_t>(from.c);
  return out;
}

int NetworkBuilder::max_pool(int in) {
  const auto from = network_.shape(in);
  const int out = tensor(from.n, (from.h - 1) / 2 + 1, (from.w - 1) / 2 + 1, from.c);
  auto& layer = add(LayerKind::max_pool, "maxpool", in, out);
  layer.kernel = 3;
  layer.stride = 2;
  layer.padding = 1;
  return out;
}

int NetworkBuilder::mean_pool(int in) {
  const auto from = network_.shape(in);
  const int out = tensor(from.n, 1, 1, from.c);
  add(LayerKind::mean_pool, "avgpool", in, out);
  return out;
}

int NetworkBuilder::linear(const std::string& name, int in, int channels, Beginning weight, Beginning bias, bool relu) {
  const auto from = network_.shape(in);
  const int out = tensor(from.n, from.h, from.w, channels);
  auto& layer = add(LayerKind::linear, name, in, out);
  layer.relu = relu;
  // PyTorch has other names in the first product of attention.
  const bool packed = name.ends_with("in_proj");
  layer.weight = parameter(name + (packed ? "_weight" : ".weight"), {channels, from.c}, weight);
  layer.bias = parameter(name + (packed ? "_bias" : ".bias"), {channels}, bias);
  return out;
}

int NetworkBuilder::embedding(const std::string& name, int batch, int sequence, int vocabulary, int width,
                              double rate) {
  network_.batch = batch;
  network_.sequence = sequence;
  const auto drop = dropout(rate);
  const int out = tensor(batch, sequence, 1, width);
  auto& layer = add(LayerKind::embedding, name, -1, out);
  layer.dropout = drop;
  layer.weight = fp32_parameter(name + ".weight", {vocabulary, width}, {Beginning::Kind::normal, 1});
  return out;
}

int NetworkBuilder::attention(int in, int heads, double rate) {
  const auto from = network_.shape(in);
  const auto drop = dropout(rate);
  const int out = tensor(from.n, from.h, from.w, from.c / 3);
  auto& layer = add(LayerKind::attention, "attention", in, out);
  layer.heads = heads;
  layer.dropout = drop;
  return out;
}

int NetworkBuilder::drop_out(int in, double rate) {
  const auto from = network_.shape(in);
  const auto drop = dropout(rate);
  const int out = tensor(from.n, from.h, from.w, from.c);
  add(LayerKind::drop_out, "dropout", in, out).dropout = drop;
  return out;
}

int NetworkBuilder::add_layer_norm(const std::string& name, int in, int residual, double rate) {
  const auto from = network_.shape(in);
  const auto drop = dropout(rate);
  const int out = tensor(from.n, from.h, from.w, from.c);
  auto& layer = add(LayerKind::add_layer_norm, name, in, out);
  layer.residual = residual;
  layer.dropout = drop;
  layer.weight = fp32_parameter(name + ".weight", {from.c}, {Beginning::Kind::one, 0});
  layer.bias = fp32_parameter(name + ".bias", {from.c}, {});
  return out;
}

Network NetworkBuilder::finish(int output) {
  network_.output = output;
  network_.classes = network_.shape(output).c;
  const auto place = [this](bool in_fp32) {
    for (auto& p : network_.parameters) {
      if (p.in_fp32 != in_fp32) continue;
      p.offset = network_.parameter_space;
      network_.parameter_space += (p.count + 63) / 64 * 64;
    }
  };
  place(true);
  network_.fp32_space = network_.parameter_space;
  place(false);
  return std::move(network_);
}

}  // namespace rv::workers
