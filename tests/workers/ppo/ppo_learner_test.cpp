#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "tests/workers/toy_environments.h"
#include "workers/ppo/host_loss.h"
#include "workers/ppo/learner.h"

using namespace rv;
using namespace rv::ppo;
using tests::ToyEnvironments;

namespace {

LearnerRequest small() {
  LearnerRequest request;
  request.settings.hidden = {16, 12, 8};
  request.precision = "fp32";
  request.seed = 4;
  return request;
}

/// Samples of all sorts: ratios and values within the clips and without.
Collected<double> made_up(const Layout& layout, int samples, const std::vector<double>& parameters) {
  std::mt19937_64 generator(3);  // NOLINT(cert-msc51-cpp): the same samples every time
  std::normal_distribution<double> normal;
  Collected<double> seen;
  const auto count = static_cast<std::size_t>(samples), actions = static_cast<std::size_t>(layout.actions);
  const auto fill = [&](std::vector<double>& all, std::size_t size, double spread) {
    all.resize(size);
    for (auto& one : all) one = spread * normal(generator);
  };
  fill(seen.observations, count * static_cast<std::size_t>(layout.width), 1);
  for (std::size_t i = 0; i < seen.observations.size(); ++i) {
    if (static_cast<int>(i) % layout.width >= layout.observations) seen.observations[i] = 0;
  }
  fill(seen.actions, count * actions, 1);
  fill(seen.means, count * actions, 0.3);
  fill(seen.values, count, 0.3);
  fill(seen.advantages, count, 1);
  fill(seen.wanted_values, count, 1);
  fill(seen.log_std, actions, 0.1);
  HostNetwork<double> network(layout, samples);
  network.forward(parameters.data(), seen.observations.data(), samples);
  seen.log_densities.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    double density = 0;
    for (std::size_t a = 0; a < actions; ++a) {
      density +=
          log_density(seen.actions[i * actions + a], network.out()[i * static_cast<std::size_t>(layout.outputs) + a],
                      parameters[layout.log_std + a]);
    }
    seen.log_densities[i] = density + 0.3 * normal(generator);
  }
  return seen;
}

struct Trained {
  std::vector<float> parameters;
  std::vector<double> rewards;
};

Trained train(const LearnerRequest& request, int environments, int iterations) {
  ToyEnvironments toy(environments, request.seed, request.first_environment);
  const auto learner = host_learner(toy, request);
  Trained trained;
  for (int i = 0; i < iterations; ++i) trained.rewards.push_back(learner->iterate(false).step_reward);
  trained.parameters = learner->parameters();
  return trained;
}

}  // namespace

TEST_CASE("the whole loss's gradient is its slope, for every parameter, in double") {
  const auto layout = layout_of({9, 5, 3}, {7, 6, 4});
  const auto start = initial_parameters(layout, 0.7, 11);
  std::vector<double> parameters(start.begin(), start.end());
  const auto seen = made_up(layout, 9, parameters);
  const std::vector<std::uint32_t> samples{8, 0, 3, 1, 7, 5, 4};
  const LossWeights<double> weights{0.2, 0.8, 0.01};
  HostNetwork<double> network(layout, 9);
  std::vector<double> rows, gradient(layout.count), unused(layout.count);
  const auto whole_loss = [&](std::vector<double>& into) {
    const auto loss = loss_gradient(layout, network, parameters.data(), seen, samples, weights, rows, into.data());
    const double entropy = std::accumulate(parameters.begin() + static_cast<std::ptrdiff_t>(layout.log_std),
                                           parameters.begin() + static_cast<std::ptrdiff_t>(layout.log_std) + 3, 0.0);
    return loss.surrogate + weights.value_weight * loss.value - weights.entropy * entropy;
  };
  whole_loss(gradient);
  double largest = 0;
  int compared = 0;
  for (const auto i : learnt(layout)) {
    const double here = parameters[i], h = 1e-6;
    parameters[i] = here + h;
    const double above = whole_loss(unused);
    parameters[i] = here - h;
    const double below = whole_loss(unused);
    parameters[i] = here;
    const double slope = (above - below) / (2 * h);
    largest = std::fmax(largest, std::fabs(slope));
    ++compared;
    CHECK_MESSAGE(std::fabs(gradient[i] - slope) < 1e-8 + 1e-6 * std::fabs(slope), "parameter ", i);
  }
  // Weights and biases of two nets, and a deviation for each action.
  CHECK(compared == 2 * (5 * 7 + 7 + 7 * 6 + 6 + 6 * 4 + 4) + 3 * (4 + 1) + (4 + 1) + 3);
  CHECK(largest > 0.1);
  double gaps = 0;
  auto outside = gradient;
  for (const auto i : learnt(layout)) outside[i] = 0;
  for (const auto one : outside) gaps += std::fabs(one);
  CHECK(gaps == 0);
}

TEST_CASE("the same loss in float differs only by rounding") {
  const auto layout = layout_of({9, 5, 3}, {7, 6, 4});
  const auto start = initial_parameters(layout, 0.7, 11);
  const std::vector<double> parameters(start.begin(), start.end());
  const auto seen = made_up(layout, 9, parameters);
  Collected<float> narrow;
  const auto copy = [](const std::vector<double>& from) { return std::vector<float>(from.begin(), from.end()); };
  narrow.observations = copy(seen.observations);
  narrow.actions = copy(seen.actions);
  narrow.means = copy(seen.means);
  narrow.log_densities = copy(seen.log_densities);
  narrow.values = copy(seen.values);
  narrow.advantages = copy(seen.advantages);
  narrow.wanted_values = copy(seen.wanted_values);
  narrow.log_std = copy(seen.log_std);
  const std::vector<std::uint32_t> samples{0, 1, 2, 3, 4, 5, 6, 7, 8};
  HostNetwork<double> network(layout, 9);
  HostNetwork<float> narrow_network(layout, 9);
  std::vector<double> rows, gradient(layout.count);
  std::vector<float> narrow_rows, narrow_gradient(layout.count);
  const auto loss =
      loss_gradient(layout, network, parameters.data(), seen, samples, {0.2, 1, 0.005}, rows, gradient.data());
  const auto other = loss_gradient(layout, narrow_network, start.data(), narrow, samples, {0.2F, 1, 0.005F},
                                   narrow_rows, narrow_gradient.data());
  CHECK(other.surrogate == doctest::Approx(loss.surrogate).epsilon(1e-5));
  CHECK(other.value == doctest::Approx(loss.value).epsilon(1e-5));
  CHECK(other.kl == doctest::Approx(loss.kl).epsilon(1e-5));
  for (std::size_t i = 0; i < layout.count; ++i) {
    CHECK(std::fabs(static_cast<double>(narrow_gradient[i]) - gradient[i]) < 1e-5);
  }
}

TEST_CASE("weights begin within the bounds of their inputs, the two nets apart") {
  const auto layout = layout_of({1, 235, 12}, {512, 256, 128});
  CHECK(layout.width == 240);
  CHECK(layout.outputs == 16);
  const auto parameters = initial_parameters(layout, 1, 3);
  CHECK(learnt(layout).size() == 2 * (235 * 512 + 512 + 512 * 256 + 256 + 256 * 128 + 128) + 12 * 129 + 129 + 12);
  float most = 0;
  for (std::size_t i = layout.weights[1]; i < layout.weights[2]; ++i) most = std::fmax(most, std::fabs(parameters[i]));
  CHECK(most <= 1 / std::sqrt(512.0F));
  CHECK(most > 0.99F / std::sqrt(512.0F));
  CHECK(parameters[layout.weights[0]] != parameters[layout.weights[0] + 512 * 240]);
  CHECK(parameters != initial_parameters(layout, 1, 4));
  CHECK_THROWS(layout_of({1, 0, 12}, {512, 256, 128}));
  CHECK_THROWS(layout_of({1, 10, 65}, {512, 256, 128}));
}

TEST_CASE("a policy is learnt: points that drift about come to the origin and stay" * doctest::test_suite("long")) {
  auto request = small();
  request.settings.hidden = {32, 32, 16};
  const auto trained = train(request, 48, 60);
  const double first = trained.rewards.front();
  const double last = std::accumulate(trained.rewards.end() - 5, trained.rewards.end(), 0.0) / 5;
  CHECK(first < 0.35);  // 1 - the mean square of the distance
  CHECK(last > 0.75);
}

TEST_CASE("the same seed gives the same bits, another one others") {
  const auto request = small();
  auto other = request;
  other.seed = 5;
  const auto one = train(request, 6, 3);
  CHECK(one.parameters == train(request, 6, 3).parameters);
  CHECK(one.parameters != train(other, 6, 3).parameters);
}

TEST_CASE("what continues from a saved state has the bits of what never stopped") {
  const auto request = small();
  const auto whole = train(request, 6, 5);
  ToyEnvironments toy(6, request.seed);
  const auto half = host_learner(toy, request);
  for (int i = 0; i < 2; ++i) half->iterate(false);
  const auto state = half->state();
  ToyEnvironments fresh(6, 99);
  auto forgetful = request;
  const auto rest = host_learner(fresh, forgetful);
  rest->restore(state);
  CHECK(rest->iterations() == 2);
  for (int i = 0; i < 3; ++i) rest->iterate(false);
  // The toy's seed is not saved with its state, so a restart must not create the environments again: episodes of 40
  // steps end here.
  ToyEnvironments same(6, request.seed);
  const auto again = host_learner(same, request);
  again->restore(state);
  for (int i = 0; i < 3; ++i) again->iterate(false);
  CHECK(again->parameters() == whole.parameters);
  CHECK(rest->parameters() != whole.parameters);
  auto larger = request;
  larger.settings.hidden = {20, 12, 8};
  ToyEnvironments another(6, 1);
  CHECK_THROWS_WITH(host_learner(another, larger)->restore(state), "the checkpoint belongs to another training");
}

TEST_CASE("an iteration reports how episodes ended, and returns a warning") {
  ToyEnvironments toy(10, 2);
  const auto learner = host_learner(toy, small());
  auto outcome = learner->iterate(false);
  CHECK(!outcome.warned);
  CHECK(outcome.entropy == doctest::Approx(2 * 1.4189385).epsilon(0.1));
  CHECK(outcome.kl >= 0);
  outcome = learner->iterate(true);
  CHECK(outcome.warned);
  CHECK(outcome.episodes >= 8);  // 48 steps of episodes of at most 40
  CHECK(outcome.episode_length > 5);
  CHECK(outcome.episode_length <= 40);
  CHECK(outcome.collection_seconds > 0);
  CHECK(outcome.learning_seconds > 0);
}

TEST_CASE("two ranks with the same gradients go as one goes: sums are divided by the ranks") {
  const auto request = small();
  const auto alone = train(request, 6, 2);
  auto doubled = request;
  doubled.world = 2;
  doubled.all_reduce = [](float* data, std::size_t count, void*) {
    for (std::size_t i = 0; i < count; ++i) data[i] *= 2;  // the other rank has the same
  };
  CHECK(train(doubled, 6, 2).parameters == alone.parameters);
}
