#include <fmt/format.h>

#include <chrono>

#include "workers/training/host/host_network.h"
#include "workers/training/learning/learner.h"

namespace rv::workers {
namespace {

class HostLearner : public Learner {
 public:
  HostLearner(const Network& network, const LearnerRequest& request, Peer& peer, Communicator& communicator)
      : network_(network),
        request_(request),
        peer_(peer),
        communicator_(communicator),
        host_(network_, request.seed, peer.rank()),
        momentum_(network.parameter_space),
        batches_(2) {
    // One more number is summed with the gradients.
    host_.gradients.resize(network.parameter_space + 1);
  }

  int slots() const override { return static_cast<int>(batches_.size()); }
  void load(int slot, const Batch& batch) override { batches_.at(static_cast<std::size_t>(slot)) = batch; }

  void step(int slot, bool warned) override {
    differentiate(slot);
    auto& gradients = host_.gradients;
    gradients[network_.parameter_space] = warned ? 1.0F : 0.0F;
    if (peer_.world() > 1) communicator_.all_reduce(gradients.data(), gradients.size());
    warned_ = gradients[network_.parameter_space] > 0;
    update();
    note_end();
  }

  void step_alone(std::optional<int> slot) override {
    differentiate(slot.value_or(last_slot_));
    update();
    note_end();
  }

  bool warned() const override { return warned_; }
  void finish() override {}
  std::vector<float> losses() override { return std::exchange(losses_, {}); }
  std::vector<float> accuracies() override { return std::exchange(accuracies_, {}); }
  std::vector<double> step_seconds() override {
    end_ = Clock::now();
    return std::exchange(seconds_, {});
  }

  std::vector<float> state() override {
    auto state = host_.parameters;
    state.insert(state.end(), momentum_.begin(), momentum_.end());
    state.insert(state.end(), host_.running.begin(), host_.running.end());
    return state;
  }
  void restore(std::span<const float> state, std::int64_t step) override {
    const auto space = network_.parameter_space;
    if (state.size() != 2 * space + host_.running.size()) {
      throw std::runtime_error("the checkpoint belongs to another network");
    }
    std::copy_n(state.begin(), space, host_.parameters.begin());
    std::copy_n(state.begin() + static_cast<std::ptrdiff_t>(space), space, momentum_.begin());
    std::copy(state.begin() + static_cast<std::ptrdiff_t>(2 * space), state.end(), host_.running.begin());
    step_ = step;
  }
  void begin_with(const Weights& weights) override {
    std::copy(weights.parameters.begin(), weights.parameters.end(), host_.parameters.begin());
    std::copy(weights.running.begin(), weights.running.end(), host_.running.begin());
  }
  nlohmann::ordered_json details() const override { return nlohmann::ordered_json::object(); }

 private:
  void differentiate(int slot) {
    last_slot_ = slot;
    const auto& batch = batches_.at(static_cast<std::size_t>(slot));
    losses_.push_back(static_cast<float>(host_.differentiate(batch, 1.0 / peer_.world(), ++step_) * peer_.world()));
    accuracies_.push_back(static_cast<float>(host_.accuracy(batch)));
  }

  void update() {
    const auto rate = static_cast<float>(request_.rate), kept = static_cast<float>(momentum_of_learners);
    for (std::size_t i = 0; i < momentum_.size(); ++i) {
      momentum_[i] = kept * momentum_[i] + host_.gradients[i];
      host_.parameters[i] -= rate * momentum_[i];
    }
  }

  void note_end() {
    const auto begin = std::exchange(end_, Clock::now());
    seconds_.push_back(std::chrono::duration<double>(end_ - begin).count());
  }

  Network network_;
  LearnerRequest request_;
  Peer& peer_;
  Communicator& communicator_;
  HostNetwork<float> host_;
  std::vector<float> momentum_, losses_, accuracies_;
  std::vector<double> seconds_;
  std::vector<Batch> batches_;
  std::int64_t step_ = 0;
  int last_slot_ = 0;
  Clock::time_point end_ = Clock::now();  ///< end of the previous step
  bool warned_ = false;
};

}  // namespace

std::unique_ptr<Learner> host_learner(const Network& network, const LearnerRequest& request, Peer& peer,
                                      Communicator& communicator) {
  return std::make_unique<HostLearner>(network, request, peer, communicator);
}

std::size_t host_bytes_needed(const Network& network) {
  const auto state = 2 * network.parameter_space + network.running_space;
  const auto sample_values = network.input >= 0 ? network.shape(network.input).rows() * 3 : network.labels();
  return HostNetwork<float>::bytes(network) + sizeof(float) * (network.parameter_space + 2 * state) +
         2 * (sizeof(float) * sample_values + sizeof(int) * network.labels());
}

}  // namespace rv::workers
