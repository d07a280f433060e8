#include "planner/sharing/tenancy.h"

#include <doctest/doctest.h>

using namespace rv::planner;

namespace {

constexpr NodeCpus eight_free{8, 8};
constexpr NodeCpus none_free{8, 0};

Tenancy usual(int partition) {
  Tenancy tenancy;
  tenancy.partition = partition;
  return tenancy;
}

Tenancy forced(int partition, int jobs_per_cpu = 2) {
  Tenancy tenancy = usual(partition);
  tenancy.jobs_per_cpu = jobs_per_cpu;
  tenancy.shares_cpus = true;
  tenancy.parts_nodes = jobs_per_cpu > 1;
  return tenancy;
}

bool meet(const Tenancy& job, const Tenancy& other) {
  return may_join(job, 1, {{&other, 1}}, eight_free);
}

}  // namespace

TEST_CASE("jobs that share their CPUs and jobs that do not don't meet") {
  CHECK(meet(usual(0), usual(1)));
  CHECK(meet(forced(0), forced(1)));
  CHECK_FALSE(meet(forced(0), usual(1)));
  CHECK_FALSE(meet(usual(0), forced(1)));
  // FORCE:1 has one row: nobody else's job is kept away from it, but it keeps away from theirs.
  CHECK(meet(usual(0), forced(1, 1)));
  CHECK_FALSE(meet(forced(0, 1), usual(1)));
  // OverSubscribe=YES without --oversubscribe: from 23.11.7 on anybody comes, before only its own.
  Tenancy may = usual(1);
  may.jobs_per_cpu = 2;
  CHECK(meet(usual(0), may));
  may.parts_nodes = true;
  CHECK_FALSE(meet(usual(0), may));
  CHECK(meet(may, may));
  CHECK(meet(may, usual(0)));
}

TEST_CASE("a node belongs to another user's job while one of the two jobs is exclusive by user") {
  Tenancy mine = usual(0), theirs = usual(1);
  mine.user = 0, theirs.user = 1;
  CHECK_FALSE(belongs_to_another(mine, {{&theirs, 1}}));
  theirs.exclusive_user = true;
  CHECK(belongs_to_another(mine, {{&mine, 1}, {&theirs, 1}}));
  CHECK_FALSE(belongs_to_another(theirs, {{&theirs, 1}}));
  std::swap(mine.exclusive_user, theirs.exclusive_user);
  CHECK(belongs_to_another(mine, {{&theirs, 1}}));
  CHECK_FALSE(belongs_to_another(mine, {}));
}

TEST_CASE("a partition exclusive by user excludes other users in any order of arrival") {
  Tenancy own = usual(0);
  own.user = 1;
  own.exclusive_user = true;
  Tenancy same = usual(1);
  same.user = 1;
  Tenancy other = usual(1);
  other.user = 2;
  CHECK(meet(own, same));
  CHECK(meet(same, own));
  CHECK_FALSE(meet(own, other));
  CHECK_FALSE(meet(other, own));
}

TEST_CASE("no job joins one that has the whole node") {
  Tenancy whole = usual(0);
  whole.whole_node = true;
  CHECK_FALSE(meet(usual(0), whole));
  CHECK_FALSE(meet(forced(0), whole));
  CHECK_FALSE(meet(whole, usual(0)));
  CHECK(may_join(whole, 8, {}, eight_free));
}

TEST_CASE("MaxCPUsPerNode counts the jobs of the partition") {
  Tenancy four = usual(0);
  four.cpus_per_node = 4;
  const Tenancy other = usual(1);
  CHECK(may_join(four, 4, {{&other, 3}}, eight_free));
  CHECK(may_join(four, 1, {{&four, 3}}, eight_free));
  CHECK_FALSE(may_join(four, 2, {{&four, 3}}, eight_free));
  CHECK_FALSE(may_join(four, 5, {}, eight_free));
}

TEST_CASE("FORCE:2 packs its jobs into two rows of the node's CPUs") {
  const Tenancy two = forced(0);
  CHECK(may_join(two, 8, {{&two, 8}}, none_free));
  CHECK_FALSE(may_join(two, 1, {{&two, 8}, {&two, 8}}, none_free));
  CHECK(may_join(two, 3, {{&two, 5}, {&two, 5}}, none_free));
  CHECK_FALSE(may_join(two, 4, {{&two, 5}, {&two, 5}}, none_free));
  // Jobs of other partitions that share leave the CPUs to it, unless their tier is higher.
  Tenancy other = forced(1);
  CHECK(may_join(two, 8, {{&other, 6}}, none_free));
  other.tier = 2;
  CHECK_FALSE(may_join(two, 3, {{&other, 6}}, none_free));
  CHECK(may_join(two, 2, {{&other, 6}}, none_free));
  // With one row there is no space for a second job.
  const Tenancy one = forced(0, 1);
  CHECK_FALSE(may_join(one, 1, {{&one, 8}}, none_free));
}
