#include "cli/launch/balance.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace rv::cli {

namespace {

planner::Plan plan_of(const std::vector<std::optional<double>>& costs) {
  planner::Plan plan;
  for (const auto& cost : costs) plan.strategies.emplace_back().cost_su = cost;
  return plan;
}

}  // namespace

TEST_CASE("the balance is parsed from the output of the site's command") {
  CHECK(parse_balance("1234\n", "") == 1234);
  CHECK(parse_balance("Account lab has 12,345.50 SU of 20,000\n", "") == 12345.5);
  CHECK(parse_balance("used 7\nremaining: -3.25 SU\n", "^remaining: *(-?[0-9.]+)") == -3.25);
  CHECK(parse_balance("0\n", "") == 0.0);
  // The first match that stands where the pattern says, whatever other numbers there are.
  CHECK(parse_balance("alloc 2026 lab\nleft 8 SU\n", "left ([0-9]+) SU$") == 8);
}

TEST_CASE("output without a number gives no balance, not zero") {
  CHECK(!parse_balance("", ""));
  CHECK(!parse_balance("no allocation\n", ""));
  CHECK(!parse_balance("left: much\n", "left: (.*)"));
  CHECK(!parse_balance("left: 1.2.3\n", "left: (.*)"));
  CHECK(!parse_balance("left:\n", "left: *([0-9]*)"));
  CHECK(!parse_balance("used 12\n", "left: *([0-9]+)"));
}

TEST_CASE("the account is passed to the command as one argument") {
  const std::string hostile = "a b'; echo 99; '$(echo 7)";
  CHECK(ask_balance({"printf '%s\\n' {account} | grep -cxF \"a b'; echo 99; '\\$(echo 7)\"", ""}, hostile).su == 1);
  CHECK(ask_balance({"printf '%s-' {account} {account}; echo 5", "lab-lab-([0-9])"}, "lab").su == 5);
  const auto unsaid = ask_balance({"echo 5 {account}", ""}, "");
  CHECK(!unsaid.su);
  CHECK(unsaid.trouble.find("account") != std::string::npos);
  CHECK(ask_balance({"echo 5", ""}, "").su == 5);
}

TEST_CASE("after a failed command the balance is unknown, and its message is kept") {
  const auto failed = ask_balance({"echo 100; echo 'no such account' >&2; exit 3", ""}, "lab");
  CHECK(!failed.su);
  CHECK(failed.trouble == "exit code 3: no such account");
  CHECK(ask_balance({"echo nothing", ""}, "lab").trouble == "no number in its output");
}

TEST_CASE("strategies that cost more than the balance are listed") {
  const Balance balance{.account = "lab", .su = 30, .trouble = ""};
  CHECK(balance_text(balance, plan_of({4, 30, std::nullopt}), 100) == "Balance of lab: 30.0 SU\n");
  CHECK(balance_text(balance, plan_of({4, 31, std::nullopt, 99}), 100) ==
        "Balance of lab: 30.0 SU\nWarning: less than the cost of strategy 2, 4\n");
  CHECK(balance_text(balance, plan_of({31, 99}), 100) ==
        "Balance of lab: 30.0 SU\nWarning: less than the cost of every strategy\n");
  CHECK(balance_text({.account = "", .su = std::nullopt, .trouble = "away"}, plan_of({31}), 100) ==
        "Balance: unknown (away)\n");
}

TEST_CASE("the balance in a plan's document") {
  const nlohmann::ordered_json plan{{"strategies", {{{"cost_su", 4.0}}, {{"cost_su", 31.0}}, {{"cost_su", nullptr}}}}};
  auto document = plan;
  add_balance(document, {.account = "lab", .su = 30, .trouble = ""});
  CHECK(document["balance"] == nlohmann::ordered_json{{"account", "lab"}, {"su", 30.0}, {"trouble", ""}});
  CHECK(document["strategies"][0]["above_balance"] == false);
  CHECK(document["strategies"][1]["above_balance"] == true);
  CHECK(document["strategies"][2]["above_balance"].is_null());
  document = plan;
  add_balance(document, {.account = "lab", .su = std::nullopt, .trouble = "away"});
  CHECK(document["balance"]["su"].is_null());
  CHECK(document["strategies"][1]["above_balance"].is_null());
}

}  // namespace rv::cli
