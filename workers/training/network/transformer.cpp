#include <fmt/format.h>

#include <cmath>

#include "workers/training/network/network_builder.h"

namespace rv::workers {

Network transformer(int batch, int sequence, int classes, const TransformerSize& size) {
  NetworkBuilder to("transformer");
  const auto uniform = [](int fan_in) { return Beginning{Beginning::Kind::uniform, 1 / std::sqrt(fan_in)}; };
  // Xavier initialisation for the packed product as a whole.
  const Beginning packed{Beginning::Kind::uniform, std::sqrt(6.0 / (4.0 * size.width))};
  int x = to.embedding("embedding", batch, sequence, classes, size.width, size.dropout);
  for (int i = 0; i < size.layers; ++i) {
    const auto name = fmt::format("transformer_encoder.layers.{}", i);
    int y = to.linear(name + ".self_attn.in_proj", x, 3 * size.width, packed, {}, false);
    y = to.attention(y, size.heads, size.dropout);
    y = to.linear(name + ".self_attn.out_proj", y, size.width, uniform(size.width), {}, false);
    x = to.add_layer_norm(name + ".norm1", y, x, size.dropout);
    y = to.linear(name + ".linear1", x, size.feed_forward, uniform(size.width), uniform(size.width), true);
    y = to.drop_out(y, size.dropout);
    y = to.linear(name + ".linear2", y, size.width, uniform(size.feed_forward), uniform(size.feed_forward), false);
    x = to.add_layer_norm(name + ".norm2", y, x, size.dropout);
  }
  return to.finish(to.linear("output", x, classes, uniform(size.width), uniform(size.width), false));
}

}  // namespace rv::workers
