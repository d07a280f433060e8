#include "reports/sweep/metric.h"

#include <doctest/doctest.h>

#include "base/error.h"

namespace rv::sweep {
namespace {

Metrics read(const std::vector<std::string>& lines, const std::vector<MetricOption>& options = {}) {
  MetricReader reader(options);
  for (const auto& line : lines) reader.read(line);
  return reader.metrics();
}

}  // namespace

TEST_CASE("RSL-RL's lines are read, old and new") {
  const auto old = read({"                       Computation: 52345 steps/s (collection: 1.234s, learning 0.456s)",
                         "                   Total timesteps: 98304", "                    Iteration time: 1.69s",
                         "                       Computation: 60000 steps/s (collection: 1.000s, learning 0.400s)",
                         "                   Total timesteps: 196608", "                    Iteration time: 1.40s",
                         "Training time: 3.09 seconds"});
  CHECK(old.at(steps_per_s).values == std::vector<double>{52345, 60000});
  CHECK(old.at("collection_s").last() == 1.0);
  CHECK(old.at("learning_s").last() == 0.4);
  CHECK(old.at("iteration_s").values == std::vector<double>{1.69, 1.40});
  CHECK(old.at("training_s").last() == 3.09);
  CHECK(old.at("timesteps_per_iteration").last() == 98304);
  const auto later = read({"             Steps per second: 71234 ", "                 Collection time: 0.812s ",
                           "                   Learning time: 0.341s ", "                     Total steps: 98304 "});
  CHECK(later.at(steps_per_s).last() == 71234);
  CHECK(later.at("collection_s").last() == 0.812);
  CHECK(later.at("learning_s").last() == 0.341);
  CHECK(later.at("timesteps_per_iteration").last() == 98304);
}

TEST_CASE("an unreported value is unknown, not 0") {
  CHECK(read({"nothing to see", "Computation: fast steps/s", "loss nan"}, {{"loss", "loss (.*)"}}).empty());
}

TEST_CASE("a user's pattern replaces the built-in one of the same name") {
  const auto metrics =
      read({"Computation: 5 steps/s", "rate 1,234.5/s"}, {{steps_per_s, "rate ([0-9.,]+)/s"}, {"rate", "(1)"}});
  CHECK(metrics.at(steps_per_s).values == std::vector<double>{1234.5});
  CHECK(metrics.at("rate").values.size() == 1);
}

TEST_CASE("a pattern is refused that has no name, no group, or no meaning") {
  CHECK(parse_metric("a=x=([0-9])") == MetricOption{"a", "x=([0-9])"});
  CHECK_THROWS_WITH_AS(parse_metric("loss=loss [0-9]+"),
                       "--metric loss=loss [0-9]+: the expression needs a group (…) for the figure", Error);
  CHECK_THROWS_AS(parse_metric("loss=("), Error);
  CHECK_THROWS_AS(parse_metric("(x)"), Error);
}

TEST_CASE("JSON lines: every number of an object is a figure") {
  MetricReader reader({});
  CHECK(reader.read_json(R"({"steps_per_s": 10, "note": "x", "ok": true})"));
  CHECK(reader.read_json(R"({"steps_per_s": 12.5})"));
  CHECK(!reader.read_json("[1]"));
  CHECK(!reader.read_json(R"({"steps_per_s": 1)"));
  CHECK(reader.metrics().at(steps_per_s).values == std::vector<double>{10, 12.5});
  CHECK(reader.metrics().size() == 1);
}

TEST_CASE("the typical value leaves the first one out, which warms up") {
  CHECK(Metric{{5}}.typical() == 5);
  CHECK(Metric{{1, 10, 30}}.typical() == 20);
  CHECK(Metric{{1, 10, 30}}.last() == 30);
}

}  // namespace rv::sweep
