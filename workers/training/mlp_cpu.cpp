#include <algorithm>

#include "workers/training/mlp.h"

namespace rv::workers {
namespace {

using Shape = MlpShape;

class CpuMlp : public Mlp {
 public:
  explicit CpuMlp(const ToyData& data) : data_(data), state_(state_count), gradients_(gradient_count) {
    const auto start = initial_parameters();
    std::copy(start.begin(), start.end(), state_.begin());
  }

  float* gradients() override { return gradients_.data(); }

  void differentiate(std::span<const int> batch, float scale, float passenger) override {
    std::fill(gradients_.begin(), gradients_.end(), 0.0F);
    for (const auto sample : batch) add_sample(static_cast<std::size_t>(sample), scale);
    gradients_[Shape::parameters + 1] = passenger;
  }

  Sums sums() override { return {gradients_[Shape::parameters], gradients_[Shape::parameters + 1]}; }

  void update(std::int64_t step) override {
    const auto bias = adamw_step(step);
    auto* const parameters = state_.data();
    auto* const first = parameters + Shape::parameters;
    auto* const second = first + Shape::parameters;
    for (int i = 0; i < Shape::parameters; ++i) {
      const auto g = gradients_[static_cast<std::size_t>(i)];
      first[i] = AdamW::beta1 * first[i] + (1 - AdamW::beta1) * g;
      second[i] = AdamW::beta2 * second[i] + (1 - AdamW::beta2) * g * g;
      parameters[i] -= AdamW::rate * AdamW::decay * parameters[i];
      parameters[i] -= AdamW::rate * first[i] * bias.first / (std::sqrt(second[i]) * bias.second + AdamW::epsilon);
    }
  }

  std::vector<float> state() const override { return state_; }
  void restore(std::span<const float> state) override { state_.assign(state.begin(), state.end()); }

 private:
  void add_sample(std::size_t sample, float scale) {
    const auto* const x = &data_.points[sample * Shape::inputs];
    const auto* const w1 = &state_[Shape::first_weights];
    const auto* const w2 = &state_[Shape::second_weights];
    float hidden[Shape::hidden], back[Shape::hidden], out[Shape::classes];
    std::copy_n(&state_[Shape::first_biases], Shape::hidden, hidden);
    for (int i = 0; i < Shape::inputs; ++i) {
      for (int h = 0; h < Shape::hidden; ++h) hidden[h] += x[i] * w1[i * Shape::hidden + h];
    }
    std::copy_n(&state_[Shape::second_biases], Shape::classes, out);
    for (int h = 0; h < Shape::hidden; ++h) {
      hidden[h] = std::max(hidden[h], 0.0F);
      for (int c = 0; c < Shape::classes; ++c) out[c] += hidden[h] * w2[h * Shape::classes + c];
    }
    const auto most = *std::max_element(out, out + Shape::classes);
    float sum = 0;
    for (const auto score : out) sum += std::exp(score - most);
    const auto label = data_.labels[sample];
    gradients_[Shape::parameters] += scale * (std::log(sum) + most - out[label]);
    for (int c = 0; c < Shape::classes; ++c) {
      out[c] = scale * (std::exp(out[c] - most) / sum - (c == label ? 1.0F : 0.0F));
      const int bias = Shape::second_biases + c;
      gradients_[static_cast<std::size_t>(bias)] += out[c];
    }
    auto* const dw1 = &gradients_[Shape::first_weights];
    auto* const db1 = &gradients_[Shape::first_biases];
    auto* const dw2 = &gradients_[Shape::second_weights];
    for (int h = 0; h < Shape::hidden; ++h) {
      float down = 0;
      for (int c = 0; c < Shape::classes; ++c) {
        dw2[h * Shape::classes + c] += hidden[h] * out[c];
        down += out[c] * w2[h * Shape::classes + c];
      }
      back[h] = hidden[h] > 0 ? down : 0.0F;
      db1[h] += back[h];
    }
    for (int i = 0; i < Shape::inputs; ++i) {
      for (int h = 0; h < Shape::hidden; ++h) dw1[i * Shape::hidden + h] += x[i] * back[h];
    }
  }

  const ToyData& data_;
  std::vector<float> state_, gradients_;
};

}  // namespace

std::unique_ptr<Mlp> cpu_mlp(const ToyData& data) {
  return std::make_unique<CpuMlp>(data);
}

}  // namespace rv::workers
