#include "workers/training/learning/weights_file.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/base/temporary_folder.h"
#include "workers/training/data/tensor_file.h"
#include "workers/training/host/host_network.h"
#include "workers/training/step_means.h"

using namespace rv;
using namespace rv::workers;

namespace {

/// Every tensor of a file, to be written again with a change.
std::vector<TensorToStore> all_of(const std::filesystem::path& path) {
  const TensorFile file(path);
  std::vector<TensorToStore> tensors;
  for (const auto& [name, tensor] : file.tensors()) tensors.push_back({name, tensor.shape, file.floats(name)});
  return tensors;
}

std::string refusal(const std::filesystem::path& path, const Network& network) {
  try {
    read_weights(path, network);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

Weights beginning(const Network& network) {
  Weights weights{initial_parameters(network, 7), initial_running(network)};
  for (std::size_t i = 0; i < weights.running.size(); ++i) weights.running[i] += static_cast<float>(i) / 1024;
  return weights;
}

}  // namespace

TEST_CASE("weights come back to the last bit") {
  const TemporaryFolder folder;
  for (const auto& network : {resnet(18, 1, 32, 10), transformer(1, 4, 9, {2, 16, 2, 24, 0})}) {
    CAPTURE(network.model);
    const auto weights = beginning(network);
    write_weights(folder / "w", network, weights.parameters, weights.running);
    const auto back = read_weights(folder / "w", network);
    CHECK(back.parameters == weights.parameters);
    CHECK(back.running == weights.running);
    std::filesystem::remove(folder / "w");
  }
}

TEST_CASE("a kernel's numbers are out by in by height by width in the file, without the padding") {
  const TemporaryFolder folder;
  const auto network = resnet(18, 1, 32, 10);
  const auto weights = beginning(network);
  write_weights(folder / "w", network, weights.parameters, weights.running);
  const TensorFile file(folder / "w");
  CHECK(file.tensors().size() == 62 + 40);
  const auto& first = network.parameters.front();
  REQUIRE(first.name == "conv1.weight");
  CHECK(file.tensor("conv1.weight", "F32").shape == std::vector<std::uint64_t>{64, 3, 7, 7});
  const auto numbers = file.floats("conv1.weight");
  const auto there = [&](std::size_t o, std::size_t c, std::size_t y, std::size_t x) {
    return numbers[((o * 3 + c) * 7 + y) * 7 + x];
  };
  const auto here = [&](std::size_t o, std::size_t c, std::size_t y, std::size_t x) {
    return weights.parameters[first.offset + ((o * 7 + y) * 7 + x) * padded_image_channels + c];
  };
  CHECK(there(0, 0, 0, 1) == here(0, 0, 0, 1));
  CHECK(there(0, 1, 0, 0) == here(0, 1, 0, 0));
  CHECK(there(63, 2, 6, 5) == here(63, 2, 6, 5));
  CHECK(here(5, 3, 2, 2) == 0);
  CHECK(file.tensor("layer2.0.downsample.0.weight", "F32").shape == std::vector<std::uint64_t>{128, 64, 1, 1});
  CHECK(file.tensor("layer4.1.conv2.weight", "F32").shape == std::vector<std::uint64_t>{512, 512, 3, 3});
  CHECK(file.tensor("fc.weight", "F32").shape == std::vector<std::uint64_t>{10, 512});
  const auto means = file.floats("bn1.running_mean"), variances = file.floats("bn1.running_var");
  CHECK(means[3] == weights.running[3]);
  CHECK(variances[3] == weights.running[64 + 3]);
}

TEST_CASE("a tensor that is missing, left over, of another shape or type is named") {
  const TemporaryFolder folder;
  const auto path = folder / "w";
  const auto network = resnet(18, 1, 32, 10);
  const auto weights = beginning(network);
  write_weights(path, network, weights.parameters, weights.running);
  const auto whole = all_of(path);
  const auto with = [&](const std::string& name, auto change) {
    auto tensors = whole;
    change(tensors, std::find_if(tensors.begin(), tensors.end(), [&](auto& one) { return one.name == name; }));
    write_tensors(path, tensors);
    return refusal(path, network);
  };
  const auto at = path.string() + ": ";
  for (const auto* const name : {"conv1.weight", "layer3.0.downsample.1.running_var", "fc.bias"}) {
    CHECK(with(name, [](auto& all, auto one) { all.erase(one); }) == at + name + " is missing");
  }
  CHECK(with("fc.weight", [](auto&, auto one) {
          one->shape = {512, 10};
        }) == at + "fc.weight is 512x10 and should be 10x512 in a resnet18 with these options");
  // As many numbers, and not the shape.
  CHECK(with("conv1.weight", [](auto&, auto one) {
          one->shape = {64, 7, 7, 3};
        }) == at + "conv1.weight is 64x7x7x3 and should be 64x3x7x7 in a resnet18 with these options");
  CHECK(with("fc.bias", [](auto& all, auto one) {
          all.push_back({"fc.scale", one->shape, one->numbers});
        }) == at + "fc.scale is not a tensor of a resnet18");
  write_tensors(path, whole);
  CHECK(refusal(path, network) == "nothing");
  CHECK(refusal(path, resnet(18, 1, 32, 11)) ==
        at + "fc.weight is 10x512 and should be 11x512 in a resnet18 with these options");
  CHECK(refusal(path, resnet(50, 1, 32, 10)).find("layer1.0.conv1.weight is 64x64x3x3 and should be 64x64x1x1") !=
        std::string::npos);
  CHECK(refusal(path, transformer(1, 4, 9, {2, 16, 2, 24, 0})) == at + "embedding.weight is missing");
}

TEST_CASE("a label counts as predicted where its score is the first of the highest") {
  const auto network = transformer(1, 3, 4, {1, 8, 2, 8, 0});
  HostNetwork<float> host(network, 1, 0);
  // Scores that the output's biases alone decide: 0, 1, 2, 2.
  for (std::size_t i = 0; i < network.parameters.size(); ++i) {
    const auto& p = network.parameters[i];
    if (p.name == "output.weight")
      std::fill_n(host.parameters.begin() + static_cast<std::ptrdiff_t>(p.offset), p.count, 0.0F);
    if (p.name == "output.bias") {
      for (std::size_t k = 0; k < 4; ++k)
        host.parameters[p.offset + k] = static_cast<float>(std::min<std::size_t>(k, 2));
    }
  }
  Batch batch;
  batch.tokens = {0, 1, 2};
  batch.labels = {1, 2, 3};  // not the highest; the first of them; the second
  host.differentiate(batch, 1, 1);
  CHECK(host.accuracy(batch) == doctest::Approx(1.0 / 3));
}

TEST_CASE("means over the ranks, and over the newest ten steps") {
  const std::vector<nlohmann::ordered_json> ranks{{{"losses", {1.0, 2.0}}}, {{"losses", {3.0, nullptr}}}};
  bool finite = true;
  CHECK(means_over_ranks(ranks, "losses", finite) == std::vector<double>{2, 1});
  CHECK_FALSE(finite);
  CHECK(newest_mean({}) == 0);
  CHECK(newest_mean({1, 3}) == 2);
  CHECK(newest_mean({100, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}) == 1);
}
