#include "cli/mcp/budget.h"

#include <doctest/doctest.h>

#include "base/error.h"

namespace rv::mcp {
namespace {

using namespace std::chrono_literals;

constexpr Time now{1'000'000s};

Budget budget_with(std::int64_t gpu_seconds) {
  Budget budget;
  grant(budget, gpu_seconds);
  return budget;
}

void offer(Budget& budget, const std::string& token, std::int64_t gpu_seconds) {
  add_confirmation(budget, {token, "call", gpu_seconds, now + token_lifetime}, now);
}

}  // namespace

TEST_CASE("GPU hours are printed with two digits at most") {
  CHECK(in_hours(3600) == "1 GPU hour");
  CHECK(in_hours(0) == "0 GPU hours");
  CHECK(in_hours(900) == "0.25 GPU hours");
  CHECK(in_hours(360'000) == "100 GPU hours");
}

TEST_CASE("a token reserves its GPU seconds once") {
  auto budget = budget_with(2000);
  offer(budget, "t", 600);
  CHECK(budget.left() == 2000);
  CHECK(use_token(budget, "t", "call", now) == 600);
  CHECK(budget.left() == 1400);
  CHECK_THROWS_AS(use_token(budget, "t", "call", now), Error);
  CHECK(budget.left() == 1400);
  release_hours(budget, 600);
  CHECK(budget.left() == 2000);
}

TEST_CASE("a token is refused for another call, after its lifetime, and when the hours are gone") {
  auto budget = budget_with(1000);
  offer(budget, "t", 600);
  offer(budget, "u", 600);
  CHECK_THROWS_AS(use_token(budget, "t", "other call", now), Error);
  CHECK_THROWS_AS(use_token(budget, "t", "call", now + token_lifetime), Error);
  CHECK(use_token(budget, "t", "call", now + token_lifetime - 1s) == 600);
  CHECK_THROWS_WITH_AS(use_token(budget, "u", "call", now), doctest::Contains("this needs 0.17 GPU hours"), Error);
  CHECK(budget.reserved == 600);
}

TEST_CASE("a new budget discards tokens and keeps the list of runs") {
  auto budget = budget_with(1000);
  offer(budget, "t", 600);
  record_run(budget, "k3f9x2");
  grant(budget, 0);
  CHECK_THROWS_AS(use_token(budget, "t", "call", now), Error);
  CHECK_THROWS_WITH_AS(require_hours(budget, 0), doctest::Contains("no budget is set"), Error);
  require_own_run(budget, "k3f9x2");
  CHECK_THROWS_AS(require_own_run(budget, "k3f9x"), Error);
}

TEST_CASE("expired confirmations are removed") {
  auto budget = budget_with(1000);
  offer(budget, "t", 600);
  add_confirmation(budget, {"u", "call", 1, now + 2 * token_lifetime}, now + token_lifetime);
  CHECK(budget.confirmations.size() == 1);
}

TEST_CASE("only the newest 100 confirmations are kept, however fast an agent asks for tokens") {
  auto budget = budget_with(1000);
  offer(budget, "t", 600);
  for (int i = 0; i < 99; ++i) offer(budget, "u", 1);
  CHECK(budget.confirmations.front().token_hash == "t");
  offer(budget, "u", 1);
  CHECK(budget.confirmations.size() == 100);
  CHECK_THROWS_AS(use_token(budget, "t", "call", now), Error);
}

TEST_CASE("a budget with negative amounts or of another version is refused") {
  auto budget = budget_with(1000);
  offer(budget, "t", 600);
  const auto stored = to_json(budget);
  auto document = stored;
  document["reserved_gpu_seconds"] = -1;
  CHECK_THROWS_AS(budget_from(document), Json::exception);
  document = stored;
  document["confirmations"][0]["gpu_seconds"] = -1;
  CHECK_THROWS_AS(budget_from(document), Json::exception);
  document = stored;
  document["version"] = 2;
  CHECK_THROWS_AS(budget_from(document), Json::exception);
}

TEST_CASE("a budget is the same after it was stored") {
  auto budget = budget_with(1000);
  offer(budget, "t", 600);
  budget.reserved = 5;
  record_run(budget, "k3f9x2");
  const auto stored = budget_from(to_json(budget));
  CHECK(stored.granted == 1000);
  CHECK(stored.reserved == 5);
  CHECK(stored.runs == std::vector<std::string>{"k3f9x2"});
  REQUIRE(stored.confirmations.size() == 1);
  CHECK(stored.confirmations[0].token_hash == "t");
  CHECK(stored.confirmations[0].call_hash == "call");
  CHECK(stored.confirmations[0].gpu_seconds == 600);
  CHECK(stored.confirmations[0].expires == now + token_lifetime);
  CHECK_THROWS_AS(budget_from(Json::object()), Json::exception);
}

}  // namespace rv::mcp
