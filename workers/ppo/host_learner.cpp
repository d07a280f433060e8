#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "workers/ppo/adam.h"
#include "workers/ppo/advantages.h"
#include "workers/ppo/host_loss.h"
#include "workers/ppo/learner.h"
#include "workers/ppo/passengers.h"
#include "workers/ppo/permutation.h"
#include "workers/ppo/saved_state.h"

namespace rv::ppo {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class HostLearner final : public Learner {
 public:
  HostLearner(envs::Environments& environments, const LearnerRequest& request)
      : environments_(environments),
        request_(request),
        settings_(request.settings),
        sizes_(environments.sizes()),
        layout_(layout_of(sizes_, settings_.hidden)),
        count_(static_cast<std::size_t>(sizes_.environments)),
        samples_(count_ * static_cast<std::size_t>(settings_.steps)),
        rows_(samples_ / static_cast<std::size_t>(settings_.mini_batches)),
        acting_(layout_, sizes_.environments),
        learning_(layout_, static_cast<int>(rows_)) {
    parameters_ = initial_parameters(layout_, settings_.first_std, request.seed);
    first_.resize(layout_.count);
    second_.resize(layout_.count);
    gradients_.resize(layout_.count + passenger_count);
    at_.rate = settings_.rate;
    const auto actions = static_cast<std::size_t>(sizes_.actions);
    observations_.resize(count_ * static_cast<std::size_t>(sizes_.observations));
    seen_.observations.resize(samples_ * static_cast<std::size_t>(layout_.width));
    seen_.actions.resize(samples_ * actions);
    seen_.means.resize(samples_ * actions);
    seen_.log_densities.resize(samples_);
    seen_.values.resize(samples_ + count_);
    seen_.advantages.resize(samples_);
    seen_.wanted_values.resize(samples_);
    padded_.resize(count_ * static_cast<std::size_t>(layout_.width));
    rewards_.resize(samples_);
    terminated_.resize(samples_);
    timed_out_.resize(samples_);
    order_.resize(samples_);
    episode_rewards_.resize(count_);
    episode_lengths_.resize(count_);
    environments_.reset(observations_.data(), nullptr);
  }

  Outcome iterate(bool warned) override {
    const auto begin = Clock::now();
    passengers_ = {};
    passengers_.warned = warned ? 1.0F : 0.0F;
    collect();
    const double collection = since(begin);
    const auto middle = Clock::now();
    estimate();
    losses_ = {};
    for (int epoch = 0; epoch < settings_.epochs; ++epoch) {
      for (int i = 0; i < settings_.mini_batches; ++i) learn(static_cast<std::size_t>(i));
    }
    ++at_.iteration;
    auto outcome = outcome_now();
    outcome.collection_seconds = collection;
    outcome.learning_seconds = since(middle);
    return outcome;
  }

  std::vector<std::byte> state() const override {
    StateWriter writer;
    writer.put(&at_, 1);
    writer.put(parameters_);
    writer.put(first_);
    writer.put(second_);
    writer.put(observations_);
    writer.put(episode_rewards_);
    writer.put(episode_lengths_);
    writer.put(environments_.state());
    return writer.take();
  }

  void restore(const std::vector<std::byte>& state) override {
    StateReader reader(state);
    reader.take(&at_, 1);
    reader.take(parameters_.data(), parameters_.size());
    reader.take(first_.data(), first_.size());
    reader.take(second_.data(), second_.size());
    reader.take(observations_.data(), observations_.size());
    reader.take(episode_rewards_.data(), episode_rewards_.size());
    reader.take(episode_lengths_.data(), episode_lengths_.size());
    environments_.restore(reader.take_rest());
  }

  std::vector<float> parameters() const override { return parameters_; }
  std::vector<float> gradients() const override {
    return {gradients_.begin(), gradients_.end() - static_cast<std::ptrdiff_t>(passenger_count)};
  }
  std::uint64_t iterations() const override { return at_.iteration; }
  std::size_t bytes() const override { return host_learner_bytes(sizes_, request_); }

 private:
  void collect() {
    seen_.log_std.assign(parameters_.begin() + static_cast<std::ptrdiff_t>(layout_.log_std),
                         parameters_.begin() + static_cast<std::ptrdiff_t>(layout_.log_std) + sizes_.actions);
    for (int step = 0; step < settings_.steps; ++step) {
      act(step);
      const auto at = static_cast<std::size_t>(step) * count_;
      environments_.step({&seen_.actions[at * static_cast<std::size_t>(sizes_.actions)], observations_.data(),
                          &rewards_[at], &terminated_[at], &timed_out_[at]},
                         nullptr);
      for (std::size_t i = 0; i < count_; ++i) count_step(i, at + i);
    }
    act(settings_.steps);  // only for the values after the last step
    const double all = std::accumulate(rewards_.begin(), rewards_.end(), 0.0);
    passengers_.step_reward = static_cast<float>(all / static_cast<double>(samples_) / request_.world);
  }

  /// Computes the values and, except in the last step, the actions; stores the observations.
  void act(int step) {
    const auto width = static_cast<std::size_t>(layout_.width), actions = static_cast<std::size_t>(sizes_.actions);
    const auto outputs = static_cast<std::size_t>(layout_.outputs);
    const auto observed = static_cast<std::size_t>(sizes_.observations);
    const auto at = static_cast<std::size_t>(step) * count_;
    for (std::size_t i = 0; i < count_; ++i) {
      std::copy_n(&observations_[i * observed], observed, &padded_[i * width]);
    }
    acting_.forward(parameters_.data(), padded_.data(), sizes_.environments);
    const bool last = step == settings_.steps;
    if (!last) std::copy(padded_.begin(), padded_.end(), &seen_.observations[at * width]);
    const auto number = at_.iteration * static_cast<std::uint64_t>(settings_.steps) + static_cast<std::uint64_t>(step);
    for (std::size_t i = 0; i < count_; ++i) {
      const float* const out = acting_.out() + i * outputs;
      seen_.values[at + i] = out[actions];
      if (last) continue;
      std::copy_n(out, actions, &seen_.means[(at + i) * actions]);
      const auto environment = static_cast<std::uint32_t>(request_.first_environment) + static_cast<std::uint32_t>(i);
      seen_.log_densities[at + i] = choose_actions(sizes_.actions, out, seen_.log_std.data(), request_.seed, number,
                                                   environment, &seen_.actions[(at + i) * actions]);
    }
  }

  void count_step(std::size_t i, std::size_t at) {
    episode_rewards_[i] += rewards_[at];
    ++episode_lengths_[i];
    if (terminated_[at] == 0 && timed_out_[at] == 0) return;
    passengers_.episodes += 1;
    passengers_.episode_reward += episode_rewards_[i];
    passengers_.episode_length += static_cast<float>(episode_lengths_[i]);
    episode_rewards_[i] = 0;
    episode_lengths_[i] = 0;
  }

  /// Computes advantages, normalised to mean 0 and variance 1 over this rank's samples, and the order of the samples.
  void estimate() {
    const Trajectories<float> seen{settings_.steps,     sizes_.environments, rewards_.data(),
                                   seen_.values.data(), terminated_.data(),  timed_out_.data()};
    for (int i = 0; i < sizes_.environments; ++i) {
      estimate_advantages(seen, i, static_cast<float>(settings_.gamma), static_cast<float>(settings_.lambda),
                          seen_.advantages.data(), seen_.wanted_values.data());
    }
    double sum = 0, squares = 0;
    for (const auto one : seen_.advantages) sum += static_cast<double>(one);
    const double mean = sum / static_cast<double>(samples_);
    for (const auto one : seen_.advantages)
      squares += (static_cast<double>(one) - mean) * (static_cast<double>(one) - mean);
    const double spread = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(samples_ - 1, 1))) + 1e-8;
    for (auto& one : seen_.advantages) one = static_cast<float>((static_cast<double>(one) - mean) / spread);
    const auto shuffled = permutation(static_cast<std::uint32_t>(samples_), request_.seed, at_.iteration);
    for (std::uint32_t i = 0; i < samples_; ++i) order_[place_of(i, shuffled)] = i;
  }

  void learn(std::size_t mini_batch) {
    const LossWeights<float> weights{static_cast<float>(settings_.clip), static_cast<float>(settings_.value_weight),
                                     static_cast<float>(settings_.entropy)};
    const auto loss = loss_gradient(layout_, learning_, parameters_.data(), seen_,
                                    {order_.data() + mini_batch * rows_, rows_}, weights, gathered_, gradients_.data());
    const auto world = static_cast<float>(request_.world);
    auto passengers = passengers_;
    passengers.kl = static_cast<float>(loss.kl) / world;
    passengers.surrogate = static_cast<float>(loss.surrogate) / world;
    passengers.value = static_cast<float>(loss.value) / world;
    if (request_.world > 1) {
      for (auto& gradient : gradients_) gradient /= world;
    }
    std::memcpy(&gradients_[layout_.count], &passengers, sizeof passengers);
    if (request_.world > 1) request_.all_reduce(gradients_.data(), gradients_.size(), nullptr);
    std::memcpy(static_cast<void*>(&reduced_), &gradients_[layout_.count], sizeof reduced_);
    losses_.kl += static_cast<double>(reduced_.kl);
    losses_.surrogate += static_cast<double>(reduced_.surrogate);
    losses_.value += static_cast<double>(reduced_.value);
    losses_.mini_batches += 1;
    double squares = 0;
    for (std::size_t i = 0; i < layout_.count; ++i) {
      squares += static_cast<double>(gradients_[i]) * static_cast<double>(gradients_[i]);
    }
    const auto update =
        next_update<float>(at_, static_cast<double>(reduced_.kl), squares, settings_.wanted_kl, settings_.grad_norm);
    for (std::size_t i = 0; i < layout_.count; ++i) {
      parameters_[i] = adam(parameters_[i], gradients_[i], first_[i], second_[i], update);
    }
  }

  Outcome outcome_now() const {
    return outcome_of(reduced_, losses_, at_.rate, parameters_.data() + layout_.log_std, sizes_.actions);
  }

  envs::Environments& environments_;
  const LearnerRequest request_;
  const Settings settings_;
  const envs::Sizes sizes_;
  const Layout layout_;
  std::size_t count_, samples_, rows_;
  HostNetwork<float> acting_, learning_;
  std::vector<float> parameters_, first_, second_, gradients_;
  Progress at_;
  Collected<float> seen_;
  std::vector<float> observations_, padded_, rewards_, gathered_, episode_rewards_;
  std::vector<std::uint8_t> terminated_, timed_out_;
  std::vector<std::uint32_t> order_;
  std::vector<std::int32_t> episode_lengths_;
  Passengers passengers_, reduced_;
  LossFigures losses_;
};

}  // namespace

std::unique_ptr<Learner> host_learner(envs::Environments& environments, const LearnerRequest& request) {
  return std::make_unique<HostLearner>(environments, request);
}

std::size_t host_learner_bytes(const envs::Sizes& sizes, const LearnerRequest& request) {
  const auto& settings = request.settings;
  const auto layout = layout_of(sizes, settings.hidden);
  const auto count = static_cast<std::size_t>(sizes.environments);
  const auto samples = count * static_cast<std::size_t>(settings.steps);
  const auto rows = samples / static_cast<std::size_t>(settings.mini_batches);
  const auto width = static_cast<std::size_t>(layout.width), actions = static_cast<std::size_t>(sizes.actions);
  std::size_t row = 2 * static_cast<std::size_t>(layout.outputs);
  for (const auto hidden : settings.hidden) row += 4 * static_cast<std::size_t>(hidden);
  const auto floats = 5 * layout.count + samples * (width + 2 * actions + 5) + count * (2 * width + 4) +
                      (rows + count) * row + rows * width;
  return floats * sizeof(float) + samples * 6;
}

}  // namespace rv::ppo
