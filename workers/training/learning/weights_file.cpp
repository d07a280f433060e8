#include "workers/training/learning/weights_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "workers/training/data/tensor_file.h"

namespace rv::workers {
namespace {

/// The mapping of a PyTorch tensor to our array: element i of theirs is element from[i] of ours.
struct Place {
  std::string name;
  std::vector<std::uint64_t> shape;  ///< PyTorch's shape
  bool running = false;              ///< whether it is in the array of running statistics
  std::size_t offset = 0;
  std::size_t count = 1;
  /// For a convolution: PyTorch's kernels are out × in × height × width, ours are out × height × width × in, where the
  /// first layer's `in` is padded with zeros.
  std::size_t kernel = 0, channels = 0, padded = 0;

  std::size_t at(std::size_t i) const {
    if (kernel == 0) return offset + i;
    const auto area = kernel * kernel;
    const auto out = i / (channels * area), channel = i / area % channels, position = i % area;
    return offset + (out * area + position) * padded + channel;
  }
};

std::size_t size(int extent) {
  return static_cast<std::size_t>(extent);
}

Place place_of(const Network& network, std::size_t index) {
  const auto& p = network.parameters[index];
  Place place;
  place.name = p.name;
  place.offset = p.offset;
  if (p.shape.size() == 4) {
    place.kernel = size(p.shape[1]);
    place.padded = size(p.shape[3]);
    place.channels = index == 0 && network.input >= 0 ? size(network.image_channels) : place.padded;
    place.shape = {size(p.shape[0]), place.channels, place.kernel, place.kernel};
  } else {
    for (const auto extent : p.shape) place.shape.push_back(size(extent));
  }
  for (const auto extent : place.shape) place.count *= extent;
  return place;
}

std::vector<Place> places_of(const Network& network) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < network.parameters.size(); ++i) places.push_back(place_of(network, i));
  for (const auto& layer : network.layers) {
    if (layer.kind != LayerKind::batch_norm) continue;
    const auto channels = size(network.shape(layer.in).c);
    auto offset = size(layer.running);
    for (const auto* const what : {"running_mean", "running_var"}) {
      Place place;
      place.name = fmt::format("{}.{}", layer.name, what);
      place.shape = {channels};
      place.running = true;
      place.offset = offset;
      place.count = channels;
      places.push_back(std::move(place));
      offset += channels;
    }
  }
  return places;
}

/// Refuses a tensor of the file that the network does not use.
void refuse_left_over(const TensorFile& file, const Network& network, const std::vector<Place>& places) {
  std::set<std::string> known;
  for (const auto& place : places) known.insert(place.name);
  for (const auto& layer : network.layers) {
    if (layer.kind == LayerKind::batch_norm) known.insert(layer.name + ".num_batches_tracked");
  }
  for (const auto& [name, tensor] : file.tensors()) {
    if (known.count(name) == 0) throw file.wrong(fmt::format("{} is not a tensor of a {}", name, network.model));
  }
}

}  // namespace

Weights read_weights(const std::filesystem::path& path, const Network& network) {
  const TensorFile file(path);
  const auto places = places_of(network);
  // Checks all names and shapes before reading numbers: most files that do not fit are of another model.
  for (const auto& place : places) {
    const auto& tensor = file.tensor(place.name, "F32");
    if (tensor.shape == place.shape) continue;
    throw file.wrong(fmt::format("{} is {} and should be {} in a {} with these options", place.name,
                                 shape_text(tensor.shape), shape_text(place.shape), network.model));
  }
  refuse_left_over(file, network, places);
  Weights weights{std::vector<float>(network.parameter_space), std::vector<float>(network.running_space)};
  for (const auto& place : places) {
    const auto numbers = file.floats(place.name);
    auto& to = place.running ? weights.running : weights.parameters;
    for (std::size_t i = 0; i < numbers.size(); ++i) to[place.at(i)] = numbers[i];
  }
  return weights;
}

void write_weights(const std::filesystem::path& path, const Network& network, std::span<const float> parameters,
                   std::span<const float> running) {
  std::vector<TensorToStore> tensors;
  for (const auto& place : places_of(network)) {
    const auto from = place.running ? running : parameters;
    TensorToStore tensor{place.name, place.shape, std::vector<float>(place.count)};
    for (std::size_t i = 0; i < place.count; ++i) tensor.numbers[i] = from[place.at(i)];
    tensors.push_back(std::move(tensor));
  }
  write_tensors(path, tensors);
}

}  // namespace rv::workers
