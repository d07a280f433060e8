#include "workers/training/mlp.h"

#include <numeric>
#include <utility>

namespace rv::workers {

ToyData make_toy_data() {
  constexpr auto inputs = std::uint64_t{ToyData::inputs}, classes = std::uint64_t{ToyData::classes};
  ToyData data;
  data.points.resize(std::size_t{ToyData::samples} * inputs);
  for (std::size_t i = 0; i < data.points.size(); ++i) {
    data.points[i] = static_cast<float>(random_input(ToyData::seed, i));
  }
  for (std::size_t sample = 0; sample < ToyData::samples; ++sample) {
    int best = 0;
    double most = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      double score = 0;
      for (std::size_t j = 0; j < inputs; ++j) {
        score +=
            static_cast<double>(data.points[sample * inputs + j]) * random_input(ToyData::seed + 1, j * classes + c);
      }
      if (c == 0 || score > most) {
        most = score;
        best = static_cast<int>(c);
      }
    }
    data.labels.push_back(best);
  }
  return data;
}

std::vector<int> shuffled_samples(int epoch) {
  std::vector<int> order(ToyData::samples);
  std::iota(order.begin(), order.end(), 0);
  const auto seed = scramble(ToyData::seed + 100 + static_cast<std::uint64_t>(epoch));
  for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[scramble(seed ^ i) % (i + 1)]);
  return order;
}

std::vector<float> initial_parameters() {
  std::vector<float> parameters(MlpShape::parameters);
  for (int i = 0; i < MlpShape::parameters; ++i) {
    const auto fan_in = i < MlpShape::second_weights ? MlpShape::inputs : MlpShape::hidden;
    const auto bits = scramble(scramble(ToyData::seed + 2) ^ static_cast<std::uint64_t>(i)) >> 11;
    const auto uniform = static_cast<double>(bits) * 0x1p-52 - 1;  // from -1 to 1
    parameters[static_cast<std::size_t>(i)] = static_cast<float>(uniform / std::sqrt(fan_in));
  }
  return parameters;
}

AdamWStep adamw_step(std::int64_t step) {
  const auto t = static_cast<double>(step);
  return {static_cast<float>(1 / (1 - std::pow(AdamW::beta1, t))),
          static_cast<float>(1 / std::sqrt(1 - std::pow(AdamW::beta2, t)))};
}

}  // namespace rv::workers
