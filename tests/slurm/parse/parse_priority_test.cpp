#include "slurm/parse/parse_priority.h"

#include "tests/slurm/recording.h"

using namespace rv;
using namespace rv::slurm;

TEST_CASE("the factors of every release") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto factors = parse_priority_factors(recording(release + "/sprio.out"));
    REQUIRE(factors.size() == 12);
    const auto& first = factors.front();
    CHECK(first.partition == "lowrq");
    CHECK(first.user == planner::DatabaseName("root"));
    CHECK(first.tres == 1003);
    for (const auto& one : factors) {
      // The parts make up the whole, but for what each is rounded by, and the --nice=100 of one job.
      const auto sum = one.age + one.fair_share + one.job_size + one.partition_factor + one.qos + one.tres;
      CHECK((std::abs(sum - one.priority) <= 3 || sum - one.priority == 100));
    }
  }
}

TEST_CASE("the shares of every release, and of the whole tree") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto shares = parse_shares(recording(release + "/sshare.out"));
    REQUIRE(shares.size() == 3);
    CHECK(shares[1].account == planner::DatabaseName("lab"));
    CHECK(shares[1].user == planner::DatabaseName("root"));
    CHECK(shares[1].norm_shares == 1);
  }
  const auto tree =
      parse_shares("root|||0.000000|38479|1.000000|\n lab||1|0.3|37888|0.98|\n  lab|ann|1|1.0|37|0.5|0.333333\n");
  REQUIRE(tree.size() == 1);
  CHECK(tree[0].account == planner::DatabaseName("lab"));
  CHECK(tree[0].raw_usage == 37);
  CHECK(tree[0].effective_usage == 0.5);
  CHECK(tree[0].fair_share == doctest::Approx(0.333333));
}

TEST_CASE("lines that are not rows are skipped") {
  CHECK(parse_priority_factors("sprio: hello\n\n1|2\nx|gpu|1|1|1|1|1|1|cpu=1|root\n7|gpu|?|1|1|1|1|1|cpu=1|root\n")
            .empty());
  CHECK(parse_shares("a|b|c\nlab|ann|1|1|1|1|nan\nlab|ann|1|1|1|1|\n").empty());
  const auto row = parse_priority_factors("  7_[1-3] | gpu |  10 |4|3|2|1|0|  | ann \n");
  REQUIRE(row.size() == 1);
  CHECK(row[0].priority == 10);
  CHECK(row[0].user == planner::DatabaseName("ann"));
}

TEST_CASE("a new job's priority: the newest pending one's without its age") {
  PriorityFacts facts;
  facts.pending = parse_priority_factors(
      "7|gpu|1500|500|900|100|0|0||ann\n8|gpu|1010|10|900|100|0|0||ann\n9|cpu|905|5|900|0|0|0||ann\n");
  const std::map<std::string, std::int64_t> weights{{"FairShare", 10'000}};
  CHECK(priority_when_submitted(facts, "lab", "gpu", weights) == 1000);
  CHECK(priority_when_submitted(facts, "lab", "cpu", weights) == 900);
  CHECK(priority_when_submitted(facts, "lab", "other", weights) == 900);
  // charged to an account with another share
  facts.shares = parse_shares("lab|ann|1|1|0|0|0.05\n");
  CHECK(priority_when_submitted(facts, "lab", "gpu", weights) == 600);
  CHECK(priority_when_submitted(facts, "other", "gpu", weights) == 1000);
}

TEST_CASE("without a pending job the share alone, and nothing where that is unknown") {
  PriorityFacts facts;
  const std::map<std::string, std::int64_t> weights{{"FairShare", 10'000}};
  CHECK(!priority_when_submitted(facts, "lab", "gpu", weights));
  facts.shares = parse_shares("lab|ann|1|1|0|0|0.25\n");
  CHECK(priority_when_submitted(facts, "lab", "gpu", weights) == 2500);
  CHECK(!priority_when_submitted(facts, "other", "gpu", weights));
  CHECK(!priority_when_submitted(facts, "lab", "gpu", {{"QOS", 5}}));
  CHECK(!priority_when_submitted(facts, "lab", "gpu", {{"FairShare", 0}}));
}
