#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "workers/devices/random_input.h"

namespace rv::workers {

/// A toy problem: `samples` random points. The class of a point is the index of the largest of `classes` random linear
/// functions.
struct ToyData {
  static constexpr int samples = 4000, inputs = 128, classes = 4;
  static constexpr std::uint64_t seed = 42;
  std::vector<float> points;  ///< samples × inputs, row-major
  std::vector<int> labels;
};

ToyData make_toy_data();

/// The samples of epoch `epoch` in random order: the same on every rank and after every restart.
std::vector<int> shuffled_samples(int epoch);

/// The network inputs → 256 → ReLU → classes. The parameters are in one array: first weights (inputs × hidden,
/// row-major), first biases, second weights (hidden × classes), second biases.
struct MlpShape {
  static constexpr int inputs = ToyData::inputs, hidden = 256, classes = ToyData::classes;
  static constexpr int first_weights = 0, first_biases = inputs * hidden, second_weights = first_biases + hidden,
                       second_biases = second_weights + hidden * classes, parameters = second_biases + classes;
};

/// AdamW (Loshchilov, Hutter 2019) with PyTorch's defaults, except for the learning rate.
struct AdamW {
  static constexpr float rate = 3e-3F, beta1 = 0.9F, beta2 = 0.999F, epsilon = 1e-8F, decay = 0.01F;
};

/// The bias corrections of the moments at step t: 1/(1 - beta1ᵗ) and 1/√(1 - beta2ᵗ).
struct AdamWStep {
  float first = 1, second = 1;
};
AdamWStep adamw_step(std::int64_t step);

/// The initial parameters: uniform within ±1/√fan-in, from a fixed seed.
std::vector<float> initial_parameters();

/// The network on one device. The same calls with the same data give the same bits.
class Mlp {
 public:
  virtual ~Mlp() = default;
  /// In the device's memory: the gradients, then the loss, then one number that is summed over the ranks with them.
  virtual float* gradients() = 0;
  static constexpr std::size_t gradient_count = MlpShape::parameters + 2;

  /// Forward and backward pass. Gradients and loss are sums over `batch`, scaled by `scale`.
  virtual void differentiate(std::span<const int> batch, float scale, float passenger) = 0;
  struct Sums {
    float loss = 0, passenger = 0;
  };
  virtual Sums sums() = 0;                     ///< after the gradients have been summed over the ranks
  virtual void update(std::int64_t step) = 0;  ///< `step` counts from 1

  /// Parameters, first moments and second moments.
  virtual std::vector<float> state() const = 0;
  virtual void restore(std::span<const float> state) = 0;
  static constexpr std::size_t state_count = std::size_t{3} * MlpShape::parameters;
};

std::unique_ptr<Mlp> cpu_mlp(const ToyData& data);
/// On the current CUDA device; null in a build without CUDA.
std::unique_ptr<Mlp> cuda_mlp(const ToyData& data);

}  // namespace rv::workers
