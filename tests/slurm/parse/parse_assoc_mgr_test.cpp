#include "slurm/parse/parse_assoc_mgr.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/slurm/recording.h"

using namespace rv;
using namespace rv::slurm;

TEST_CASE("limits as the controller tells them, without what is used of them") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto limits = parse_assoc_mgr(recording(release + "/assoc_mgr.user.out"), "root", "held");
    REQUIRE(limits.associations);
    const auto& all = *limits.associations;
    const auto mine = std::find_if(all.begin(), all.end(), [](const auto& one) { return one.account == "lab"; });
    REQUIRE(mine != all.end());
    CHECK(mine->is_default_account);
    CHECK(mine->partition.empty());
    CHECK(mine->max_jobs == 5);
    CHECK(mine->max_submit == 6);
    CHECK(mine->max_wall == std::chrono::minutes(120));
    CHECK(mine->max_tres_per_job == planner::Tres{{"gres/gpu", 3}});
    CHECK(mine->group_tres == planner::Tres{{"mem", 20480}});
    CHECK(std::count_if(all.begin(), all.end(), [](const auto& one) { return one.is_default_account; }) == 1);

    REQUIRE(limits.qos);
    REQUIRE(limits.qos->size() == 3);
    CHECK(limits.qos->front().name == "normal");
    CHECK(limits.qos->front().max_tres_per_user.empty());
    const auto& narrow = limits.qos->back();
    CHECK(narrow.name == "narrow");
    CHECK(narrow.max_wall == std::chrono::minutes(90));
    CHECK(narrow.max_tres_per_job == planner::Tres{{"gres/gpu", 2}, {"mem", 10240}});
    CHECK(narrow.max_tres_per_node == planner::Tres{{"cpu", 3}});
    CHECK(narrow.min_tres_per_job == planner::Tres{{"gres/gpu", 1}});
    CHECK(narrow.group_tres == planner::Tres{{"gres/gpu", 4}});
    CHECK(narrow.max_tres_per_account == planner::Tres{{"gres/gpu", 5}});
    CHECK(narrow.max_tres_per_user == planner::Tres{{"gres/gpu", 1}});
    CHECK(narrow.max_jobs_per_user == 7);
    CHECK(narrow.max_submit_per_user == 9);
  }
}

TEST_CASE("no answer, another cluster, a user without an association") {
  const auto text = recording("26.05.3/assoc_mgr.user.out");
  CHECK(!parse_assoc_mgr(text, "root", "elsewhere").associations);
  CHECK(parse_assoc_mgr(text, "root", "").associations);
  for (const std::string release : releases) {
    CAPTURE(release);
    CHECK(!parse_assoc_mgr(recording(release + "/assoc_mgr.stranger.out"), "nobody", "held").associations);
  }
  const auto none = parse_assoc_mgr("Access/permission denied\n", "root", "");
  CHECK(!none.qos);
  CHECK(!none.associations);
}
