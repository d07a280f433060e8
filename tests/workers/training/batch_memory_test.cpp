#include "workers/training/data/batch_memory.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>
#include <thread>

#include "tests/workers/counted_memory.h"
#include "workers/training/data/data_source.h"
#include "workers/training/data/read_ahead.h"

using namespace rv::tests;
using namespace rv::workers;

TEST_CASE("memory returns to the pool with the last copy of its numbers, and is reused unchanged") {
  const CountedMemory counted;
  const auto memory = counted.memory();
  auto first = memory.take(4);
  first[3] = 7;
  const auto* const place = first.data();
  std::optional<BatchValues> copy = first;
  first = {};
  CHECK(memory.take(4).data() != place);
  CHECK((*copy)[3] == 7);
  copy.reset();
  const auto again = memory.take(5);
  CHECK(again.size() == 5);
  // Two of four numbers and one of five.
  CHECK(counted.places() == 3);
  const auto one = memory.take(4), two = memory.take(4);
  CHECK(std::set{one.data(), two.data()}.count(place) == 1);
  CHECK(counted.places() == 3);
}

TEST_CASE("numbers outlive the memory that they were taken from") {
  std::optional<BatchMemory> memory;
  memory.emplace();
  auto numbers = memory->take(2);
  memory.reset();
  numbers[1] = 3;
  CHECK(numbers[1] == 3);
}

TEST_CASE("reading ahead draws each image in its place of few batches, and none that is held changes") {
  const CountedMemory counted;
  constexpr std::size_t images = 4, floats = 5;
  constexpr int ahead = 3, held = 2;
  std::atomic<int> astray = 0;
  ReadAhead reader({floats,
                    [](std::int64_t step) {
                      std::vector<std::size_t> samples(images);
                      for (std::size_t i = 0; i < images; ++i) samples[i] = static_cast<std::size_t>(step) * images + i;
                      return samples;
                    },
                    [](std::size_t sample) { return static_cast<int>(sample); },
                    [&](std::size_t sample, float* to, int) {
                      if (!counted.has(to - sample % images * floats)) ++astray;
                      std::fill_n(to, floats, static_cast<float>(sample));
                    },
                    [memory = counted.memory()](auto count) { return memory.take(count); }},
                   2, ahead);
  Batch slots[held];
  for (int step = 0; step < 100; ++step) {
    slots[step % held] = reader.take(step);
    for (int back = 0; back < held && back <= step; ++back) {
      const auto& batch = slots[(step - back) % held];
      REQUIRE(batch.values.size() == images * floats);
      for (std::size_t i = 0; i < batch.values.size(); ++i) {
        REQUIRE(batch.values[i] == static_cast<float>(static_cast<std::size_t>(step - back) * images + i / floats));
      }
    }
  }
  CHECK(astray == 0);
  // The one that was taken is not yet let go when the next is begun.
  CHECK(counted.places() <= ahead + held);
}

TEST_CASE("made-up images fill the place that they are given") {
  const CountedMemory counted;
  const auto source = data_source({"synthetic", "", 3, 10, 4});
  source->lie_in(counted.memory());
  for (int step = 0; step < 3; ++step) {
    const auto batch = source->batch(step);
    CHECK(counted.has(batch.values.data()));
    CHECK(batch.values == data_source({"synthetic", "", 3, 10, 4})->batch(step).values);
  }
  CHECK(counted.places() == 1);
}
