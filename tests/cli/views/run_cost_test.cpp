#include "cli/views/run_cost.h"

#include <doctest/doctest.h>

namespace rv::cli {
namespace {

using namespace std::chrono_literals;

const monitor::TimePoint begin{std::chrono::seconds(1'000'000)};

monitor::RunView running() {
  monitor::RunView view;
  view.state = monitor::RunState::running;
  for (int number = 1; number <= 2; ++number) {
    monitor::CandidateView candidate;
    candidate.candidate.number = number;
    candidate.candidate.gpus = 4;
    candidate.candidate.cost_su = 10.0 * number;
    candidate.candidate.su_per_hour = 5.0 * number;
    view.candidates.push_back(candidate);
  }
  view.winner = 2;
  view.started = begin;
  view.used = {{.candidate = 2, .began = begin, .ended = std::nullopt}};
  return view;
}

}  // namespace

TEST_CASE("a running run has cost its time so far and can cost all of its time") {
  const auto cost = cost_of(running(), begin + 30min);
  CHECK(cost.gpu_hours == doctest::Approx(2));
  CHECK(*cost.spent == doctest::Approx(5));
  CHECK(*cost.up_to == doctest::Approx(20));
}

TEST_CASE("an ended run has no further cost") {
  auto view = running();
  view.state = monitor::RunState::failed;
  view.ended = begin + 6min;
  const auto cost = cost_of(view, begin + 24h);
  CHECK(*cost.spent == doctest::Approx(1));
  CHECK(*cost.up_to == doctest::Approx(1));
}

TEST_CASE("a waiting run has cost nothing and can cost as much as its most expensive candidate") {
  auto view = running();
  view.state = monitor::RunState::queued;
  view.winner.reset();
  view.started.reset();
  view.used.clear();
  CHECK(*cost_of(view, begin).spent == 0);
  CHECK(*cost_of(view, begin).up_to == doctest::Approx(20));
  view.candidates[0].candidate.cost_su.reset();
  CHECK_FALSE(cost_of(view, begin).up_to.has_value());
  view.state = monitor::RunState::stopped;
  CHECK(*cost_of(view, begin).up_to == 0);
}

TEST_CASE("without a price the hours are known but not the service units") {
  auto view = running();
  view.candidates[1].candidate.cost_su.reset();
  view.candidates[1].candidate.su_per_hour.reset();
  const auto cost = cost_of(view, begin + 1h);
  CHECK(cost.gpu_hours == doctest::Approx(4));
  CHECK_FALSE(cost.spent.has_value());
  CHECK_FALSE(cost.up_to.has_value());
}

TEST_CASE("all attempts and all elements of an array have a cost, the time between them has none") {
  auto view = running();
  view.used = {{.candidate = 1, .began = begin, .ended = begin + 1h},
               {.candidate = 2, .began = begin + 3h, .ended = {}}};
  const auto cost = cost_of(view, begin + 3h + 30min);
  CHECK(cost.gpu_hours == doctest::Approx(6));
  CHECK(*cost.spent == doctest::Approx(5 + 5));
  CHECK(*cost.up_to == doctest::Approx(5 + 20));
  // In the pause before a retry no candidate has won.
  view.used.pop_back();
  view.winner.reset();
  view.state = monitor::RunState::stopped;
  CHECK(*cost_of(view, begin + 9h).spent == doctest::Approx(5));

  auto array = running();
  array.array = monitor::ArrayView();
  array.used = {{2, begin, begin + 30min}, {2, begin, begin + 30min}, {2, begin, std::nullopt}};
  CHECK(*cost_of(array, begin + 1h).spent == doctest::Approx(20));
  CHECK(*cost_of(array, begin + 1h).up_to == doctest::Approx(20));
}

TEST_CASE("the usage of a chain is the sum of its segments") {
  auto view = running();
  view.chain = monitor::ChainView{.segments = {}, .total = 4h, .used = 2h, .used_su = 20};
  const auto cost = cost_of(view, begin + 24h);
  CHECK(cost.gpu_hours == doctest::Approx(8));
  CHECK(*cost.spent == doctest::Approx(20));
}

}  // namespace rv::cli

TEST_CASE("costs are summed by month, name and type, with those of failed, stopped and waiting runs") {
  using rv::monitor::RunState;
  std::vector<rv::monitor::RunRecord> records(4);
  std::vector<rv::monitor::RunView> views;
  for (int i = 0; i < 4; ++i) {
    records[static_cast<std::size_t>(i)].name = i < 3 ? "train" : "fit";
    auto view = rv::cli::running();
    view.candidates[0].candidate.gpu_type = "a40";
    view.candidates[1].candidate.gpu_type = "h100";
    view.ended = rv::cli::begin + std::chrono::hours(1);
    views.push_back(view);
  }
  views[0].state = RunState::done;
  views[1].state = RunState::failed;
  views[2].state = RunState::stopped;
  views[3].state = RunState::queued;
  views[3].winner.reset();
  views[3].started.reset();
  std::vector<rv::cli::RunCost> costs;
  costs.reserve(views.size());
  for (const auto& view : views) costs.push_back(rv::cli::cost_of(view, rv::cli::begin));
  const auto by_name = rv::cli::grouped_costs(rv::cli::CostKey::name, records, views, costs);
  REQUIRE(by_name.size() == 2);
  CHECK(by_name[0].key == "fit");
  CHECK(by_name[0].waiting == doctest::Approx(20));
  CHECK(by_name[1].runs == 3);
  CHECK(by_name[1].gpu_hours == doctest::Approx(12));
  CHECK(by_name[1].failed_gpu_hours == doctest::Approx(4));
  CHECK(by_name[1].stopped_gpu_hours == doctest::Approx(4));
  CHECK(by_name[1].spent == doctest::Approx(30));
  CHECK(by_name[1].failed == doctest::Approx(10));
  CHECK(by_name[1].stopped == doctest::Approx(10));
  const auto by_type = rv::cli::grouped_costs(rv::cli::CostKey::type, records, views, costs);
  REQUIRE(by_type.size() == 2);
  CHECK(by_type[0].key == "h100");
  CHECK(by_type[1].key == "several");
  CHECK(rv::cli::grouped_costs(rv::cli::CostKey::month, records, views, costs).size() == 1);
}
