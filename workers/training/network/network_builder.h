#pragma once

#include "workers/training/network/network.h"

namespace rv::workers {

/// Builds a network layer by layer.
class NetworkBuilder {
 public:
  explicit NetworkBuilder(std::string model) { network_.model = std::move(model); }

  int tensor(int n, int h, int w, int c);
  int image(int batch, int size);
  int convolution(const std::string& name, int in, int channels, int kernel, int stride);
  int batch_norm(const std::string& name, int in, int residual, bool relu);
  int max_pool(int in);
  int mean_pool(int in);
  int linear(const std::string& name, int in, int channels, Beginning weight, Beginning bias, bool relu);
  int embedding(const std::string& name, int batch, int sequence, int vocabulary, int width, double dropout);
  int attention(int in, int heads, double dropout);
  int drop_out(int in, double rate);
  int add_layer_norm(const std::string& name, int in, int residual, double dropout);

  Network finish(int output);
  Network& network() { return network_; }

 private:
  int parameter(std::string name, std::vector<int> shape, Beginning beginning);
  int fp32_parameter(std::string name, std::vector<int> shape, Beginning beginning);
  Layer& add(LayerKind kind, std::string name, int in, int out);
  Dropout dropout(double rate);

  Network network_;
};

}  // namespace rv::workers
