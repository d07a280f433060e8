#include "slurm/accounting/account_use.h"

#include "tests/damaged.h"
#include "tests/slurm/recording.h"

using namespace rv;
using namespace rv::slurm;

namespace {

TimePoint at(std::int64_t seconds) {
  return TimePoint(std::chrono::seconds(seconds));
}

constexpr auto rows =
    "ann|1000|4600|billing=8,cpu=8,gres/gpu:a40=2,gres/gpu=2,mem=64G,node=1\n"
    "Ann|9000|Unknown|cpu=4,gres/gpu=1,node=1\n"
    "bob|Unknown|Unknown|\n"
    "bob|500|1500|cpu=10,node=1\n"
    "no row\n|1000|2000|cpu=1\n";

}  // namespace

TEST_CASE("use is the part of a job's time in the window; one that runs counts to its end") {
  const auto use = parse_account_use(rows, at(1000), at(10'000));
  REQUIRE(use.size() == 2);  // names without regard to capitals
  CHECK(use.at("ann").gpu_seconds == doctest::Approx(2 * 3600 + 1000));
  CHECK(use.at("ann").cpu_seconds == doctest::Approx(8 * 3600 + 4 * 1000));
  CHECK(use.at("bob").gpu_seconds == 0);
  CHECK(use.at("bob").cpu_seconds == doctest::Approx(5000));
  CHECK(parse_account_use(rows, at(20'000), at(30'000)).at("ann").gpu_seconds == doctest::Approx(10'000));
  CHECK_FALSE(parse_account_use(rows, at(20'000), at(30'000)).contains("bob"));
}

TEST_CASE("the fair share is that of the account's own row") {
  const auto text =
      "root||||0|0.000000|\n lab||1|0.250000|3698|0.900000|\n  lab|ann|1|0.5|9|0.1|0.3\n new||parent||0||\n";
  const auto share = parse_fair_share(text, "LAB");
  REQUIRE(share);
  CHECK(share->share == doctest::Approx(0.25));
  CHECK(share->used == doctest::Approx(0.9));
  CHECK_FALSE(parse_fair_share(text, "new").has_value());
  CHECK_FALSE(parse_fair_share(text, "nowhere").has_value());
  CHECK_FALSE(parse_fair_share("lab||1|nan|1|2|\n", "lab").has_value());
}

TEST_CASE("damaged answers about accounts are read or refused") {
  test::survives([](auto text) { parse_account_use(text, at(0), at(10'000)); }, rows);
  test::survives([](auto text) { parse_fair_share(text, "lab"); }, " lab||1|0.250000|3698|0.900000|\n");
}
