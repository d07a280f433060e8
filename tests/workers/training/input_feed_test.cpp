#include "workers/training/input_feed.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/workers/counted_memory.h"

using namespace rv::tests;
using namespace rv::workers;

namespace {

/// Every batch contains the number of its step.
class Numbered : public DataSource {
 public:
  explicit Numbered(int cycle) : cycle_(cycle) {}
  Batch batch(std::int64_t step) override {
    Batch batch;
    batch.labels.push_back(static_cast<int>(cycle_ > 0 ? step % cycle_ : step));
    batch.values = place(3);
    std::fill_n(batch.values.data(), 3, static_cast<float>(step));
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
  BatchMemory batch_memory() const override { return memory.memory(); }
  void load(int slot, const Batch& batch) override {
    there.at(static_cast<std::size_t>(slot)) = batch.labels.at(0);
    held.at(static_cast<std::size_t>(slot)) = batch.values;
    ++loads;
  }
  void step(int, bool) override {}
  void step_alone(std::optional<int>) override {}
  bool warned() const override { return false; }
  void finish() override {}
  std::vector<float> losses() override { return {}; }
  std::vector<float> accuracies() override { return {}; }
  std::vector<double> step_seconds() override { return {}; }
  std::vector<float> state() override { return {}; }
  void restore(std::span<const float>, std::int64_t) override {}
  void begin_with(const Weights&) override {}
  nlohmann::ordered_json details() const override { return {}; }

  std::vector<int> there{-1, -1};
  std::vector<BatchValues> held{2};
  CountedMemory memory;
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

TEST_CASE("batches are made in the learner's memory, which is reused after it has released them") {
  Numbered source(0);
  Slots learner;
  InputFeed feed(source, learner);
  for (int step = 0; step < 50; ++step) {
    const auto slot = static_cast<std::size_t>(feed.load(step));
    CHECK(learner.memory.has(learner.held[slot].data()));
    // What the learner still holds of the step before is as it was.
    CHECK(learner.held[slot] == std::vector<float>(3, static_cast<float>(step)));
    if (step > 0) CHECK(learner.held[1 - slot] == std::vector<float>(3, static_cast<float>(step - 1)));
  }
  // Two that it holds, one that it is given, and one that is made meanwhile.
  CHECK(learner.memory.places() <= 4);
}
