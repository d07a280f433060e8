#include "workers/training/host/host_network.h"

#include <doctest/doctest.h>

#include <cmath>

#include "workers/devices/random_input.h"
#include "workers/training/network/network_builder.h"

using namespace rv;
using namespace rv::workers;

namespace {

Batch random_batch(const Network& network, std::uint64_t seed) {
  Batch batch;
  if (network.input >= 0) {
    batch.values.resize(network.shape(network.input).rows() * 3);
    for (std::size_t i = 0; i < batch.values.size(); ++i) {
      batch.values[i] = static_cast<float>(random_input(seed, i));
    }
  } else {
    for (std::size_t i = 0; i < network.labels(); ++i) {
      batch.tokens.push_back(static_cast<int>(scramble(seed + i) % static_cast<unsigned>(network.classes)));
    }
  }
  for (std::size_t i = 0; i < network.labels(); ++i) {
    batch.labels.push_back(static_cast<int>(scramble(seed + 7 + i) % static_cast<unsigned>(network.classes)));
  }
  return batch;
}

/// Every parameter's gradient against the slope of the loss, at up to `each` of its elements.
void check_gradients(const Network& network, std::size_t each) {
  HostNetwork<double> host(network, 11, 0);
  // Off the starting point, where scales are one and shifts are nil.
  for (std::size_t i = 0; i < host.parameters.size(); ++i) host.parameters[i] += 0.1 * random_input(3, i);
  const auto batch = random_batch(network, 5);
  host.differentiate(batch, 1, 1);
  const auto gradients = host.gradients;
  double most = 0;
  for (const auto g : gradients) most = std::max(most, std::abs(g));
  REQUIRE(most > 1e-6);
  for (const auto& p : network.parameters) {
    CAPTURE(p.name);
    for (std::size_t k = 0; k < std::min(each, p.count); ++k) {
      const auto at = p.offset + (k * 7919) % p.count;
      CAPTURE(at);
      constexpr double step = 1e-6;
      const auto here = host.parameters[at];
      host.parameters[at] = here + step;
      const auto above = host.differentiate(batch, 1, 1);
      host.parameters[at] = here - step;
      const auto below = host.differentiate(batch, 1, 1);
      host.parameters[at] = here;
      const auto slope = (above - below) / (2 * step);
      CHECK(gradients[at] == doctest::Approx(slope).epsilon(1e-4).scale(1e-2 * most));
    }
  }
}

Beginning normal(double size) {
  return {Beginning::Kind::normal, size};
}

}  // namespace

TEST_CASE("the memory of a network is known before it is created") {
  NetworkBuilder to("small");
  const int x = to.embedding("embedding", 2, 4, 16, 8, 0);
  const auto network = to.finish(to.linear("output", x, 16, {}, {}, false));
  const std::size_t values = 2 * 4 * 8 + 2 * 4 * 16;
  CHECK(network.parameter_space >= 16 * 8 + 16 * 8 + 16);
  // Parameters and values with their gradients, what the embedding keeps, and room for the largest values.
  const auto expected = 2 * network.parameter_space + 2 * values + 2 * 4 * 8 + 2 * 4 * 16;
  CHECK(HostNetwork<float>::bytes(network) == expected * sizeof(float));
  CHECK(HostNetwork<double>::bytes(network) == expected * sizeof(double));
  // A batch twice as large needs twice the values and as many parameters.
  const auto one = HostNetwork<float>::bytes(resnet(18, 2, 32, 10)),
             two = HostNetwork<float>::bytes(resnet(18, 4, 32, 10));
  const auto four = HostNetwork<float>::bytes(resnet(18, 8, 32, 10));
  CHECK(four - two == doctest::Approx(2.0 * static_cast<double>(two - one)).epsilon(0.01));
}

TEST_CASE("convolutions of every kind have the gradients of the loss, at odd sizes") {
  for (const int kernel : {1, 3, 7}) {
    for (const int stride : {1, 2}) {
      CAPTURE(kernel);
      CAPTURE(stride);
      NetworkBuilder to("test");
      int x = to.convolution("first", to.image(2, 9), 5, 3, 1);
      x = to.convolution("second", x, 3, kernel, stride);
      check_gradients(to.finish(to.linear("out", to.mean_pool(x), 3, normal(1), normal(1), false)), 12);
    }
  }
}

TEST_CASE("batch norm with and without residual and ReLU, and pooling, have the gradients of the loss") {
  for (const bool relu : {false, true}) {
    NetworkBuilder to("test");
    const int a = to.batch_norm("bn1", to.convolution("conv1", to.image(3, 11), 6, 3, 2), -1, relu);
    const int b = to.convolution("conv2", to.max_pool(a), 6, 3, 1);
    const int c = to.batch_norm("bn2", to.convolution("conv3", b, 6, 1, 1), b, relu);
    check_gradients(to.finish(to.linear("out", to.mean_pool(c), 4, normal(1), normal(1), false)), 10);
  }
}

TEST_CASE("the normalised have mean nil and variance one, and the running statistics move a tenth") {
  NetworkBuilder to("test");
  const int x = to.batch_norm("bn", to.convolution("conv", to.image(4, 7), 3, 3, 1), -1, false);
  const auto network = to.finish(to.linear("out", to.mean_pool(x), 2, normal(1), normal(1), false));
  HostNetwork<double> host(network, 1, 0);
  host.differentiate(random_batch(network, 2), 1, 1);
  const auto& in = host.values(network.layers[1].in);
  const auto& out = host.values(x);
  const auto rows = network.shape(x).rows();
  for (std::size_t c = 0; c < 3; ++c) {
    double sum = 0, squares = 0, before = 0, squares_before = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      sum += out[3 * i + c];
      squares += out[3 * i + c] * out[3 * i + c];
      before += in[3 * i + c];
      squares_before += in[3 * i + c] * in[3 * i + c];
    }
    const auto n = static_cast<double>(rows);
    CHECK(sum / n == doctest::Approx(0).scale(1));
    CHECK(squares / n == doctest::Approx(1).epsilon(1e-3));
    const auto variance = (squares_before - before * before / n) / (n - 1);
    CHECK(host.running[c] == doctest::Approx(0.1 * before / n));
    CHECK(host.running[3 + c] == doctest::Approx(0.9 + 0.1 * variance));
  }
}

TEST_CASE("a transformer has the gradients of the loss, dropout and causal mask included") {
  for (const double dropout : {0.0, 0.25}) {
    const auto network = transformer(2, 5, 7, {2, 12, 3, 20, dropout});
    check_gradients(network, 8);
  }
}

TEST_CASE("small residual networks have the gradients of the loss from end to end") {
  // All of it in the small: two of each kind of block at 32 × 32 would take minutes.
  NetworkBuilder to("test");
  int x = to.max_pool(to.batch_norm("bn1", to.convolution("conv1", to.image(3, 16), 8, 7, 2), -1, true));
  const int skip = to.batch_norm("d.1", to.convolution("d.0", x, 16, 1, 2), -1, false);
  int y = to.batch_norm("b1", to.convolution("c1", x, 8, 1, 1), -1, true);
  y = to.batch_norm("b2", to.convolution("c2", y, 8, 3, 2), -1, true);
  x = to.batch_norm("b3", to.convolution("c3", y, 16, 1, 1), skip, true);
  y = to.batch_norm("b4", to.convolution("c4", x, 16, 3, 1), x, true);
  check_gradients(to.finish(to.linear("fc", to.mean_pool(y), 5, normal(0.5), normal(0.1), false)), 6);
}

TEST_CASE("no position sees a later token") {
  const auto network = transformer(1, 6, 9, {2, 8, 2, 16, 0});
  HostNetwork<double> host(network, 4, 0);
  auto batch = random_batch(network, 3);
  host.differentiate(batch, 1, 1);
  const auto before = host.values(network.output);
  batch.tokens[4] = (batch.tokens[4] + 1) % 9;
  host.differentiate(batch, 1, 1);
  const auto& after = host.values(network.output);
  for (std::size_t i = 0; i < 6; ++i) {
    bool same = true;
    for (std::size_t c = 0; c < 9; ++c) same = same && before[i * 9 + c] == after[i * 9 + c];
    CHECK(same == (i < 4));
  }
}

TEST_CASE("dropout drops as often as asked, other elements at other steps, and keeps the mean") {
  constexpr std::size_t count = 100000;
  std::vector<double> ones(count, 1.0), first(count), second(count);
  const Dropout dropout{58982, 3};
  HostLayers<double>::drop(count, dropout, dropout_key(1, 0, 3, 1), ones.data(), first.data());
  HostLayers<double>::drop(count, dropout, dropout_key(1, 0, 3, 2), ones.data(), second.data());
  double sum = 0;
  std::size_t dropped = 0, both = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += first[i];
    dropped += first[i] == 0 ? 1U : 0U;
    both += first[i] == 0 && second[i] == 0 ? 1U : 0U;
  }
  CHECK(static_cast<double>(dropped) / count == doctest::Approx(0.1).epsilon(0.05));
  CHECK(static_cast<double>(both) / count == doctest::Approx(0.01).epsilon(0.2));
  CHECK(sum / count == doctest::Approx(1).epsilon(0.01));
}

TEST_CASE("what is dropped shows no pattern: by place among four, by column, or by distance") {
  constexpr std::size_t count = std::size_t{1} << 21, width = 512;
  constexpr std::uint32_t kept = 58982;
  constexpr double share = kept / 65536.0, spread = share * (1 - share);
  // In deviations of what chance gives; the largest of all these thousands is about 4.
  constexpr double most = 5;
  for (const std::int64_t step : {1, 2}) {
    const auto key = dropout_key(1, 0, 3, step);
    std::vector<double> off(count);
    for (std::size_t i = 0; i < count; ++i) {
      off[i] = (dropout_keeps(dropout_bits(key, i), i, kept) ? 1.0 : 0.0) - share;
    }
    const auto deviations = [&](std::size_t first, std::size_t every) {
      double sum = 0, numbers = 0;
      for (std::size_t i = first; i < count; i += every, ++numbers) sum += off[i];
      return std::abs(sum) / std::sqrt(numbers * spread);
    };
    for (std::size_t place = 0; place < 4; ++place) CHECK(deviations(place, 4) < most);
    for (std::size_t column = 0; column < width; ++column) CHECK(deviations(column, width) < most);
    for (const std::size_t distance : {1, 2, 3, 4, 5, 8, 16, 64, 256, 512, 1024, 4096, 65536, 1048576}) {
      double sum = 0;
      for (std::size_t i = 0; i + distance < count; ++i) sum += off[i] * off[i + distance];
      CHECK(std::abs(sum) / (std::sqrt(static_cast<double>(count - distance)) * spread) < most);
    }
  }
}

TEST_CASE("the models have their published sizes") {
  CHECK(resnet(18, 1, 224, 1000).learnt() == 11689512);
  CHECK(resnet(50, 1, 224, 1000).learnt() == 25557032);
  CHECK(transformer(1, 511, 1000, {}).learnt() == 153203688);
  // 4.09 G multiply-adds forward; the first layer needs no gradient of its input.
  CHECK(resnet(50, 1, 224, 1000).flop_per_step() == doctest::Approx(24.5e9).epsilon(0.02));
  CHECK(transformer(1, 511, 1000, {}).flop_per_step() == doctest::Approx(0.505e12).epsilon(0.01));
}

TEST_CASE("in float the same as in double, within rounding, and twice the same bits" * doctest::test_suite("long")) {
  // Larger than 32 × 32: statistics of two numbers would magnify every rounding.
  const auto network = resnet(18, 3, 64, 10);
  HostNetwork<double> wide(network, 8, 0);
  HostNetwork<float> narrow(network, 8, 0), again(network, 8, 0);
  const auto batch = random_batch(network, 6);
  const auto expected = wide.differentiate(batch, 1, 1);
  CHECK(narrow.differentiate(batch, 1, 1) == doctest::Approx(expected).epsilon(1e-4));
  again.differentiate(batch, 1, 1);
  CHECK(narrow.gradients == again.gradients);
  double difference = 0, whole = 0;
  for (std::size_t i = 0; i < wide.gradients.size(); ++i) {
    const double off = wide.gradients[i] - static_cast<double>(narrow.gradients[i]);
    difference += off * off;
    whole += wide.gradients[i] * wide.gradients[i];
  }
  CHECK(std::sqrt(difference / whole) < 1e-3);
}
