#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "workers/ppo/adam.h"
#include "workers/ppo/advantages.h"
#include "workers/ppo/permutation.h"
#include "workers/ppo/policy.h"
#include "workers/ppo/sample_loss.h"

using namespace rv::ppo;

namespace {

/// The loss of one action and one sample with this old density.
SampleLoss<double> loss_of(double advantage, double ratio, double* d_mean) {
  const double action = 0.3, mean = 0.1, log_std = -0.2;
  const double density = log_density(action, mean, log_std);
  const Sample<double> old{&action, &mean, &log_std, density - std::log(ratio), 0, advantage, 0};
  double d_log_std = 0, d_value = 0;
  return sample_loss(1, &mean, &log_std, 0.0, old, {0.2, 1.0, 0.0}, 1.0, d_mean, &d_log_std, &d_value);
}

}  // namespace

TEST_CASE("advantages are those of the plain sums, ends and time-outs included") {
  constexpr int steps = 6;
  const double gamma = 0.9, lambda = 0.8;
  const std::vector<double> rewards{1, -2, 3, 0.5, 4, -1}, values{0.3, 0.1, -0.7, 2, 1.5, 0.2, 0.9};
  // Terminated in step 1, timed out in step 3, both at once in step 4: that one has ended and not been cut.
  const std::vector<std::uint8_t> terminated{0, 1, 0, 0, 1, 0}, timed_out{0, 0, 0, 1, 1, 0};
  std::vector<double> advantages(steps), wanted(steps);
  estimate_advantages<double>({steps, 1, rewards.data(), values.data(), terminated.data(), timed_out.data()}, 0, gamma,
                              lambda, advantages.data(), wanted.data());
  for (int begin = 0; begin < steps; ++begin) {
    double sum = 0, weight = 1;
    for (int t = begin; t < steps; ++t) {
      const auto i = static_cast<std::size_t>(t);
      const bool ended = terminated[i] != 0, over = ended || timed_out[i] != 0;
      double delta = rewards[i] - values[i];
      if (!over) delta += gamma * values[i + 1];
      if (timed_out[i] != 0 && !ended) delta += gamma * values[i];
      sum += weight * delta;
      if (over) break;
      weight *= gamma * lambda;
    }
    CHECK(advantages[static_cast<std::size_t>(begin)] == doctest::Approx(sum).epsilon(1e-12));
    CHECK(wanted[static_cast<std::size_t>(begin)] ==
          doctest::Approx(sum + values[static_cast<std::size_t>(begin)]).epsilon(1e-12));
  }
}

TEST_CASE("each environment has its own advantages, wherever it lies in the array") {
  const std::vector<float> rewards{1, 5, 2, 6}, values{0, 1, 0, 1, 0, 1};  // two steps of two environments
  const std::vector<std::uint8_t> none(4, 0);
  std::vector<float> advantages(4), wanted(4);
  for (int i = 0; i < 2; ++i) {
    estimate_advantages<float>({2, 2, rewards.data(), values.data(), none.data(), none.data()}, i, 0.5F, 1.0F,
                               advantages.data(), wanted.data());
  }
  CHECK(advantages[2] == doctest::Approx(2));
  CHECK(advantages[0] == doctest::Approx(1 + 0.5 * 2));
  CHECK(advantages[3] == doctest::Approx(6 + 0.5 - 1));
  CHECK(advantages[1] == doctest::Approx(5 + 0.5 - 1 + 0.5 * 5.5));
}

TEST_CASE("Adam's first steps are those of the closed form") {
  const Update<double> unscaled{};
  CHECK(unscaled.step == 0);
  // With one gradient g the corrected moments are g and g², so each step is rate · g / (|g| + epsilon).
  Progress at{0, 0, 0.01};
  double first = 0, second = 0, parameter = 1;
  for (int step = 1; step <= 50; ++step) {
    const auto update = next_update<double>(at, 0.01, 0, 0.01, 1);
    parameter = adam(parameter, -0.5, first, second, update);
    CHECK(parameter == doctest::Approx(1 + 0.01 * step * 0.5 / (0.5 + 1e-8)).epsilon(1e-10));
  }
  CHECK(at.updates == 50);
  // Two different ones, worked out.
  at = {0, 0, 0.1};
  first = second = 0;
  parameter = adam(0.0, 2.0, first, second, next_update<double>(at, 0.01, 0, 0.01, 1));
  CHECK(parameter == doctest::Approx(-0.1));
  parameter = adam(parameter, -1.0, first, second, next_update<double>(at, 0.01, 0, 0.01, 1));
  const double m = (0.9 * 0.1 * 2 - 0.1) / (1 - 0.81), v = (0.999 * 0.001 * 4 + 0.001) / (1 - 0.999 * 0.999);
  CHECK(parameter == doctest::Approx(-0.1 - 0.1 * m / (std::sqrt(v) + 1e-8)).epsilon(1e-9));
}

TEST_CASE("a gradient of too large a norm is scaled to that norm, a smaller one is left") {
  Progress at{0, 0, 0.01};
  CHECK(next_update<double>(at, 0.01, 25, 0.01, 1).scale == doctest::Approx(0.2));
  CHECK(next_update<double>(at, 0.01, 0.25, 0.01, 1).scale == 1);
}

TEST_CASE("the rate follows the divergence, within bounds, and stays where that is not a number") {
  CHECK(adapted_rate(1e-3, 0.021, 0.01) == doctest::Approx(1e-3 / 1.5));
  CHECK(adapted_rate(1e-3, 0.004, 0.01) == doctest::Approx(1.5e-3));
  CHECK(adapted_rate(1e-3, 0.01, 0.01) == 1e-3);
  CHECK(adapted_rate(1e-3, 0.006, 0.01) == 1e-3);
  CHECK(adapted_rate(1e-3, 0.019, 0.01) == 1e-3);
  CHECK(adapted_rate(1e-3, 0, 0.01) == 1e-3);
  CHECK(adapted_rate(1.1e-5, 1, 0.01) == 1e-5);
  CHECK(adapted_rate(9e-3, 0.001, 0.01) == 1e-2);
  CHECK(adapted_rate(1e-3, std::nan(""), 0.01) == 1e-3);
}

TEST_CASE("the divergence is that of two normal distributions") {
  const double action[2] = {0, 0}, old_mean[2] = {0.5, -1}, old_log_std[2] = {0.1, -0.4};
  const double mean[2] = {0.7, -0.8}, log_std[2] = {-0.1, 0.2};
  const Sample<double> old{action, old_mean, old_log_std, 0, 0, 0, 0};
  double d_mean[2], d_log_std[2], d_value = 0;
  const auto loss = sample_loss(2, mean, log_std, 0.0, old, {0.2, 1, 0}, 1.0, d_mean, d_log_std, &d_value);
  // By numbers: the integral of p log(p/q), one dimension after the other.
  double integral = 0;
  for (int i = 0; i < 2; ++i) {
    const double h = 1e-3;
    for (double x = -12; x < 12; x += h) {
      const double p = log_density(x, old_mean[i], old_log_std[i]), q = log_density(x, mean[i], log_std[i]);
      integral += std::exp(p) * (p - q) * h;
    }
  }
  CHECK(loss.kl == doctest::Approx(integral).epsilon(1e-6));
  const Sample<double> same{action, mean, log_std, 0, 0, 0, 0};
  CHECK(sample_loss(2, mean, log_std, 0.0, same, {0.2, 1, 0}, 1.0, d_mean, d_log_std, &d_value).kl ==
        doctest::Approx(0).epsilon(1e-15));
}

TEST_CASE("the ratio is clipped if that makes the loss larger, and the gradient is then zero") {
  double slope = 0;
  CHECK(loss_of(2, 1.5, &slope).surrogate == doctest::Approx(-2 * 1.2));  // good, and more likely already
  CHECK(slope == 0);
  CHECK(loss_of(2, 0.5, &slope).surrogate == doctest::Approx(-2 * 0.5));
  CHECK(slope != 0);
  CHECK(loss_of(-2, 0.5, &slope).surrogate == doctest::Approx(2 * 0.8));  // bad, and less likely already
  CHECK(slope == 0);
  CHECK(loss_of(-2, 1.5, &slope).surrogate == doctest::Approx(2 * 1.5));
  CHECK(slope != 0);
  CHECK(loss_of(2, 1.1, &slope).surrogate == doctest::Approx(-2 * 1.1));
  CHECK(slope != 0);
}

TEST_CASE("the value's step is clipped where that makes its loss larger") {
  const double none = 0;
  const auto loss_at = [&](double value, double wanted, double* slope) {
    double d_mean = 0, d_log_std = 0;
    const Sample<double> old{&none, &none, &none, log_density(0.0, 0.0, 0.0), 1, 0, wanted};
    return sample_loss(1, &none, &none, value, old, {0.2, 1, 0}, 1.0, &d_mean, &d_log_std, slope).value;
  };
  double slope = 0;
  CHECK(loss_at(1.1, 2, &slope) == doctest::Approx(0.81));
  CHECK(slope == doctest::Approx(2 * (1.1 - 2)));
  CHECK(loss_at(1.9, 2, &slope) == doctest::Approx(0.64));  // as if it had gone to 1.2 only
  CHECK(slope == 0);
  CHECK(loss_at(1.9, 0, &slope) == doctest::Approx(1.9 * 1.9));
  CHECK(slope == doctest::Approx(2 * 1.9));
}

TEST_CASE("a value within the bound is learnt from, whatever rounding makes of it") {
  const float none = 0;
  int unlike = 0;
  for (int i = 0; i < 1000; ++i) {
    const float before = 0.1F + 1e-5F * static_cast<float>(i), value = -0.03F - 1.7e-5F * static_cast<float>(i);
    const float wanted = -1;
    const Sample<float> old{&none, &none, &none, log_density(0.0F, 0.0F, 0.0F), before, 0, wanted};
    float d_mean = 0, d_log_std = 0, slope = 0;
    sample_loss(1, &none, &none, value, old, {0.2F, 1, 0}, 1.0F, &d_mean, &d_log_std, &slope);
    CHECK(slope == doctest::Approx(2 * (value - wanted)));
    unlike += before + (value - before) != value ? 1 : 0;
  }
  CHECK(unlike > 0);  // there was something to get wrong
}

TEST_CASE("the order of the samples is a permutation of all, another with each seed and each number") {
  for (const std::uint32_t count : {1U, 2U, 3U, 24U, 1000U, 4096U, 24577U}) {
    const auto p = permutation(count, 5, 0);
    std::vector<int> hits(count, 0);
    for (std::uint32_t i = 0; i < count; ++i) ++hits.at(place_of(i, p));
    CHECK(std::all_of(hits.begin(), hits.end(), [](int n) { return n == 1; }));
  }
  const auto order = [](std::uint64_t seed, std::uint64_t number) {
    std::vector<std::uint32_t> all(1000);
    for (std::uint32_t i = 0; i < 1000; ++i) all[i] = place_of(i, permutation(1000, seed, number));
    return all;
  };
  CHECK(order(5, 1) == order(5, 1));
  CHECK(order(5, 1) != order(5, 2));
  CHECK(order(6, 1) != order(5, 1));
  // No mini-batch is of one part of the samples: of each quarter's first hundred about a quarter goes to each.
  const auto all = order(5, 3);
  for (std::size_t begin = 0; begin < 1000; begin += 250) {
    const auto low = std::count_if(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                   all.begin() + static_cast<std::ptrdiff_t>(begin + 250),
                                   [](std::uint32_t place) { return place < 250; });
    CHECK(low > 30);
    CHECK(low < 100);
  }
}

TEST_CASE("actions are normal, and depend only on seed, step and environment") {
  const float mean[6] = {0, 0, 0, 0, 0, 1}, log_std[6] = {0, 0, 0, 0, 0, -1};
  double sum = 0, squares = 0, fifth = 0;
  constexpr int draws = 4000;
  for (std::uint32_t i = 0; i < draws; ++i) {
    float chosen[6];
    const float density = choose_actions(6, mean, log_std, 3, 17, i, chosen);
    double expected = 0;
    for (int k = 0; k < 6; ++k) expected += static_cast<double>(log_density(chosen[k], mean[k], log_std[k]));
    REQUIRE(static_cast<double>(density) == doctest::Approx(expected).epsilon(1e-5));
    for (int k = 0; k < 5; ++k) {
      sum += static_cast<double>(chosen[k]);
      squares += static_cast<double>(chosen[k] * chosen[k]);
    }
    fifth += static_cast<double>(chosen[5]);
  }
  CHECK(std::fabs(sum / (5 * draws)) < 0.03);
  CHECK(squares / (5 * draws) == doctest::Approx(1).epsilon(0.04));
  CHECK(fifth / draws == doctest::Approx(1).epsilon(0.03));
  float one[6], again[6], other[6];
  choose_actions(6, mean, log_std, 3, 17, 5, one);
  choose_actions(6, mean, log_std, 3, 17, 5, again);
  choose_actions(6, mean, log_std, 3, 18, 5, other);
  CHECK(std::equal(one, one + 6, again));
  CHECK(!std::equal(one, one + 6, other));
}
