#include "workers/training/input_feed.h"

#include <doctest/doctest.h>

using namespace rv::workers;

namespace {

/// Every batch says which step's it is.
class Numbered : public DataSource {
 public:
  explicit Numbered(int cycle) : cycle_(cycle) {}
  Batch batch(std::int64_t step) override {
    Batch batch;
    batch.labels.push_back(static_cast<int>(cycle_ > 0 ? step % cycle_ : step));
    return batch;
  }
  int cycle() const override { return cycle_; }

 private:
  int cycle_;
};

/// Two slots, and what came into them.
class Slots : public Learner {
 public:
  int slots() const override { return 2; }
  void load(int slot, const Batch& batch) override {
    there.at(static_cast<std::size_t>(slot)) = batch.labels.at(0);
    ++loads;
  }
  void step(int, bool) override {}
  void step_alone(std::optional<int>) override {}
  bool warned() const override { return false; }
  void finish() override {}
  std::vector<float> losses() override { return {}; }
  std::vector<float> accuracies() override { return {}; }
  std::vector<double> step_seconds() override { return {}; }
  std::vector<float> state() const override { return {}; }
  void restore(std::span<const float>, std::int64_t) override {}
  void begin_with(const Weights&) override {}
  std::vector<float> gradients() const override { return {}; }
  nlohmann::ordered_json details() const override { return {}; }

  std::vector<int> there{-1, -1};
  int loads = 0;
};

}  // namespace

TEST_CASE("every step finds its own batch in its slot, whatever steps were asked for before") {
  Numbered source(0);
  Slots learner;
  InputFeed feed(source, learner);
  for (const std::int64_t step : {0, 1, 2, 3, 0, 1, 2, 7, 7, 8, 3, 8}) {
    CAPTURE(step);
    CHECK(learner.there.at(static_cast<std::size_t>(feed.load(step))) == step);
  }
}

TEST_CASE("batches that come again and are there already stay") {
  Numbered source(2);
  Slots learner;
  InputFeed feed(source, learner);
  for (const std::int64_t step : {0, 0, 1, 2, 3, 100, 101, 5}) {
    CHECK(learner.there.at(static_cast<std::size_t>(feed.load(step))) == step % 2);
  }
  CHECK(learner.loads == 2);
}
