#include "cli/account/account_text.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace rv::cli {
namespace {

using Used = std::map<planner::DatabaseName, slurm::UsedTime>;

UserGpus user(const std::string& name, int held, int asked) {
  UserGpus made;
  made.user = name;
  made.held = held;
  made.running_jobs = held > 0 ? 1 : 0;
  made.asked = asked;
  made.waiting_jobs = asked > 0 ? 1 : 0;
  if (held > 0) made.held_type = {{"a40", held}};
  return made;
}

slurm::UsedTime hours(double gpus) {
  return {.gpu_seconds = gpus * 3600, .cpu_seconds = 0};
}

AccountUse lab() {
  AccountUse use;
  use.account = "lab";
  use.accounts = {"lab", "lab-ml"};
  use.users = account_users({user("ann", 4, 0), user("bob", 0, 8)}, Used{{"Ann", hours(10)}, {"eve", hours(2.5)}});
  use.used_by_others = true;
  return use;
}

std::string text_of(const AccountUse& use) {
  const os::Terminal terminal;
  return account_text(use, terminal);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("users of the queue and of accounting are merged into one list, sorted by GPUs held") {
  const auto users = lab().users;
  REQUIRE(users.size() == 3);
  CHECK(users[0].now.user.text() == "ann");
  CHECK(users[0].used->gpu_seconds == 36000);
  CHECK(users[1].now.user.text() == "eve");
  CHECK(users[2].now.user.text() == "bob");
  CHECK(users[2].used->gpu_seconds == 0);
  // Who used no GPU and has no job is left out; where accounting is away nobody's use is known.
  CHECK(account_users({}, Used{{"cpu", hours(0)}}).empty());
  CHECK_FALSE(account_users({user("ann", 4, 0)}, std::nullopt)[0].used.has_value());
}

TEST_CASE("an account's subaccounts are found in any order, and a cycle ends") {
  planner::Cluster cluster;
  const auto add = [&](const std::string& name, const std::string& parent) {
    planner::Account account;
    account.name = name;
    account.parent = parent;
    cluster.accounts.push_back(account);
  };
  add("deep", "Lab-ML");
  add("lab-ml", "lab");
  add("lab", "root");
  add("other", "root");
  CHECK(accounts_below(cluster, "lab") == std::vector<std::string>{"lab", "lab-ml", "deep"});
  add("ring", "gnir");
  add("gnir", "ring");
  CHECK(accounts_below(cluster, "ring") == std::vector<std::string>{"ring", "gnir"});
}

TEST_CASE("an account's running jobs, waiting jobs and usage are formatted") {
  const auto text = text_of(lab());
  CHECK(has(text, "account  lab and 1 account below it\n"));
  CHECK(has(text, "holds    4 GPUs in 1 job\n"));
  CHECK(has(text, "waits    for 8 GPUs in 1 job\n"));
  CHECK(has(text, "used     12.5 GPU hours in the last 7 days\n"));
  CHECK_FALSE(has(text, "share"));
  CHECK_FALSE(has(text, "hidden"));
  auto more = lab();
  more.fair_share = slurm::FairShare{.share = 0.25, .used = 0.9};
  more.budgets = {"account lab has 83 SU left of 167 (GrpTRESMins billing=10000)"};
  more.balance = Balance{.account = "lab", .su = std::nullopt, .trouble = "no number"};
  CHECK(has(text_of(more), "share    25% of its parent's; 90% of the parent's recent usage\n"));
  CHECK(has(text_of(more), "left     account lab has 83 SU left of 167"));
  CHECK(has(text_of(more), "balance  unknown: no number\n"));
}

TEST_CASE("hidden jobs are mentioned, and an unknown value is not 0") {
  auto hidden = lab();
  hidden.queue_known = false;
  hidden.used_by_others = false;
  CHECK(has(text_of(hidden), "hidden   the site hides other users' jobs"));
  CHECK(has(text_of(hidden), "as far as accounting shows them: it has no other user's jobs"));
  CHECK(account_json(hidden)["shows_others"]["queue"] == false);
  auto away = lab();
  away.users = account_users({user("ann", 4, 0)}, std::nullopt);
  away.trouble = "accounting is away";
  CHECK(has(text_of(away), "used     unknown: accounting is away\n"));
  CHECK(account_json(away)["gpu_hours_7d"].is_null());
  CHECK(account_json(away)["users"][0]["gpu_hours_7d"].is_null());
  CHECK(account_json(lab())["gpu_hours_7d"] == doctest::Approx(12.5));
}

}  // namespace rv::cli
