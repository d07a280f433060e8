#include "cli/launch/probe.h"

#include <doctest/doctest.h>

#include <map>

#include "cli/launch/start_run.h"

namespace rv::cli {

namespace {

using Outcome = planner::TestOnlyResult::Outcome;
using namespace std::chrono_literals;

planner::TestOnlyResult starts_in(std::chrono::seconds wait) {
  return {.outcome = Outcome::starts, .wait = wait, .nodes = "n1", .message = ""};
}

planner::Plan plan_of(int strategies) {
  planner::Plan plan;
  for (int i = 1; i <= strategies; ++i) {
    planner::Strategy strategy;
    strategy.gpu.name = std::to_string(i);
    plan.strategies.push_back(strategy);
  }
  return plan;
}

/// A controller that says what is written for a strategy's name, else "starts", and a clock that only pauses and
/// answers move.
struct Controller {
  std::map<std::string, Outcome> words;
  std::string message = "no";
  std::chrono::milliseconds takes{10};
  std::vector<std::string> asked;
  std::chrono::steady_clock::time_point now{1h};
  std::chrono::milliseconds paused{0};
  int calls_before = 0;

  void probe_plan(planner::Plan& plan, int width = 4) {
    Prober prober{.ask =
                      [this](const planner::Strategy& strategy, int) {
                        asked.push_back(strategy.gpu.name);
                        now += takes;
                        const auto word = words.find(strategy.gpu.name);
                        if (word == words.end()) return starts_in(60s);
                        return planner::TestOnlyResult{
                            .outcome = word->second, .wait = std::nullopt, .nodes = "", .message = message};
                      },
                  .budget = slurm::CallBudget([this] { return now; }),
                  .pause =
                      [this](std::chrono::milliseconds span) {
                        now += span;
                        paused += span;
                      }};
    prober.budget.spend(calls_before);
    probe(
        plan, [&](const planner::Plan& seen) { return race_numbers(seen, width, false); }, prober);
  }
};

std::vector<std::string> names(const planner::Plan& plan) {
  std::vector<std::string> out;
  for (const auto& strategy : plan.strategies) out.push_back(strategy.gpu.name);
  return out;
}

}  // namespace

TEST_CASE("the first few are probed, and no more") {
  auto plan = plan_of(20);
  Controller controller;
  controller.probe_plan(plan);
  CHECK(controller.asked == std::vector<std::string>{"1", "2", "3", "4", "5", "6", "7", "8"});
  CHECK(plan.strategies[0].controller->wait == 60s);
  CHECK(!plan.strategies[8].controller);
  CHECK(names(plan) == names(plan_of(20)));
}

TEST_CASE("a strategy that the controller rejects moves to the end, and the next ones are probed instead") {
  auto plan = plan_of(12);
  Controller controller;
  controller.words = {{"1", Outcome::refused}, {"3", Outcome::refused}};
  controller.probe_plan(plan);
  CHECK(controller.asked.size() == 10);
  CHECK(plan.strategies[0].gpu.name == "2");
  CHECK(plan.strategies[10].gpu.name == "1");
  CHECK(plan.strategies[11].gpu.name == "3");
  CHECK(race_numbers(plan, 4, false) == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(race_numbers(plan, 99, false).size() == 10);
}

TEST_CASE("a missing answer changes neither order nor race, and two in a row end the probing") {
  auto plan = plan_of(12);
  Controller controller;
  controller.words = {{"1", Outcome::unknown}, {"3", Outcome::unknown}, {"4", Outcome::unknown}};
  controller.probe_plan(plan);
  CHECK(controller.asked == std::vector<std::string>{"1", "2", "3", "4"});
  CHECK(names(plan) == names(plan_of(12)));
  CHECK(race_numbers(plan, 4, false) == std::vector<std::size_t>{0, 1, 2, 3});
}

TEST_CASE("an answer about drained nodes is not a missing answer") {
  auto plan = plan_of(12);
  Controller controller;
  controller.words = {{"1", Outcome::unknown}, {"2", Outcome::unknown}, {"3", Outcome::unknown}};
  controller.message = "Requested node configuration is not available";
  controller.probe_plan(plan);
  CHECK(controller.asked.size() == 8);
  CHECK(names(plan) == names(plan_of(12)));
}

TEST_CASE("strategies that would race are probed before the others, in any order") {
  auto plan = plan_of(12);
  for (auto& strategy : plan.strategies) strategy.wait.trials = {4000};
  plan.strategies[0].wait.p50 = 10s;
  plan.strategies[11].wait.trials = {0};
  Controller controller;
  controller.probe_plan(plan, 2);
  CHECK(controller.asked[0] == "1");
  CHECK(controller.asked[1] == "12");
  CHECK(controller.asked[2] == "2");
}

TEST_CASE("probing waits for an empty bucket and skips a slow controller") {
  auto plan = plan_of(12);
  Controller controller;
  controller.calls_before = 30;
  controller.takes = 0ms;
  controller.probe_plan(plan);
  CHECK(controller.asked.size() == 8);
  CHECK(controller.paused == 4s);

  plan = plan_of(12);
  Controller slow;
  slow.takes = 3s;
  slow.probe_plan(plan);
  // 3 s, 6 s, then 12 s, for which no patience is left.
  CHECK(slow.asked.size() == 3);
  CHECK(slow.paused == 9s);
}

TEST_CASE("the bucket goes from one command to the next through a file") {
  const auto fixed = [] { return std::chrono::steady_clock::time_point(1h); };
  const std::chrono::sys_time<std::chrono::milliseconds> now(1'700'000'000'000ms);
  slurm::CallBudget first(fixed);
  first.spend(28);
  const std::string text = budget_text(first, now);
  CHECK(text == "2.0 1700000000000\n");
  slurm::CallBudget second(fixed);
  resume_budget(second, text, now + 1s);
  CHECK(second.tokens() == 4);
  for (const char* none : {"", "soon", "5"}) {
    slurm::CallBudget third(fixed);
    resume_budget(third, none, now);
    CHECK(third.tokens() == 30);
  }
}

}  // namespace rv::cli
