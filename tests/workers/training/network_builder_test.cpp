#include "workers/training/network/network_builder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace rv::workers;

TEST_CASE("what layers read in fp32 lies before the products' parameters, and those lie in the order of their layers") {
  for (const auto& network : {resnet(18, 2, 32, 10), transformer(2, 7, 16, {2, 64, 2, 128, 0})}) {
    CAPTURE(network.model);
    std::set<int> read_in_fp32;
    for (const auto& layer : network.layers) {
      if (layer.kind != LayerKind::batch_norm && layer.kind != LayerKind::add_layer_norm &&
          layer.kind != LayerKind::embedding) {
        continue;
      }
      read_in_fp32.insert({layer.weight, layer.bias});
    }
    std::size_t end = 0, products_end = network.fp32_space;
    for (int i = 0; i < static_cast<int>(network.parameters.size()); ++i) {
      const auto& p = network.parameter(i);
      CAPTURE(p.name);
      auto& before = read_in_fp32.contains(i) ? end : products_end;
      CHECK(p.offset >= before);
      CHECK(p.offset < before + 64);
      before = p.offset + p.count;
    }
    CHECK(end > 0);
    CHECK(end <= network.fp32_space);
    CHECK(network.fp32_space < end + 64);
    CHECK(products_end <= network.parameter_space);
    CHECK(network.parameter_space < products_end + 64);
  }
}
