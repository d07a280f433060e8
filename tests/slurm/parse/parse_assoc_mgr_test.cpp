#include "slurm/parse/parse_assoc_mgr.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/slurm/recording.h"

using namespace rv;
using namespace rv::slurm;

TEST_CASE("limits as the controller reports them, without usage") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto limits = parse_assoc_mgr(recording(release + "/assoc_mgr.user.out"), "root", "held");
    REQUIRE(limits.associations);
    const auto& all = *limits.associations;
    const auto mine = std::find_if(all.begin(), all.end(),
                                   [](const auto& one) { return one.account == planner::DatabaseName("lab"); });
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
    CHECK(limits.qos->front().name == planner::DatabaseName("normal"));
    CHECK(limits.qos->front().max_tres_per_user.empty());
    const auto& narrow = limits.qos->back();
    CHECK(narrow.name == planner::DatabaseName("narrow"));
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

TEST_CASE("a missing answer, another cluster and a user without an association are distinguished") {
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

TEST_CASE("limits in minutes, with what is used, of QOS, of the user and of the accounts above") {
  const auto limits = parse_assoc_mgr(recording("22.05.8-budgets/assoc_mgr.out"), "Root", "Tiny");
  const auto find = [&](const char* limit, const char* tres, auto test) {
    const auto found = std::find_if(limits.budgets.begin(), limits.budgets.end(), [&](const planner::Budget& one) {
      return one.limit == limit && one.tres == planner::DatabaseName(tres) && test(one);
    });
    REQUIRE_MESSAGE(found != limits.budgets.end(), limit << " " << tres);
    return *found;
  };
  const auto of_qos = [](const planner::Budget& one) { return one.qos == planner::DatabaseName("ming"); };
  const auto of_lab = [](const planner::Budget& one) {
    return one.account == planner::DatabaseName("lab") && !one.of_user;
  };
  const auto of_user = [](const planner::Budget& one) {
    return one.account == planner::DatabaseName("lab") && one.of_user;
  };
  CHECK(find("GrpTRESMins", "billing", of_qos).most == 100);
  CHECK(find("GrpTRESMins", "gres/gpu", of_qos).running == 30);
  const auto running = find("GrpTRESRunMins", "cpu", of_qos);
  CHECK(running.most == 1000);
  CHECK(running.used == 60);
  CHECK(running.kind == planner::BudgetKind::running);
  CHECK(find("GrpWall", "", of_qos).most == 1000);
  CHECK(find("MaxTRESMinsPerJob", "gres/gpu", of_qos).most == 60);
  CHECK(find("GrpTRESMins", "cpu", of_lab).most == 5000);
  CHECK(find("GrpTRESMins", "cpu", of_lab).running == 60);
  CHECK(find("GrpTRESRunMins", "cpu", of_lab).used == 60);
  CHECK(find("GrpWall", "", of_lab).most == 20000);
  CHECK(find("GrpTRESMins", "gres/gpu", of_user).most == 4000);
  CHECK(find("MaxTRESMinsPerJob", "cpu", of_user).most == 777);
}

TEST_CASE("accounts above the user's, however deep, and a tree with a circle") {
  const std::string text =
      "ClusterName=c Account=root UserName= Partition= Priority=0 ID=1\n    ParentAccount= DefAssoc=No\n"
      "ClusterName=c Account=dep UserName= Partition= Priority=0 ID=2\n    ParentAccount=root(1) DefAssoc=No\n"
      "    GrpTRESMins=cpu=N(0),gres/gpu=600(600)\n"
      "ClusterName=c Account=lab UserName= Partition= Priority=0 ID=3\n    ParentAccount=dep(2) DefAssoc=No\n"
      "ClusterName=c Account=lab UserName=corp\\jdoe(7) Partition= Priority=0 ID=4\n    ParentAccount= DefAssoc=Yes\n";
  const auto limits = parse_assoc_mgr(text, "CORP\\JDoe", "C");
  REQUIRE(limits.associations);
  REQUIRE(limits.budgets.size() == 1);
  CHECK(limits.budgets[0].account == planner::DatabaseName("lab"));
  CHECK(limits.budgets[0].owner == planner::DatabaseName("dep"));
  CHECK(limits.budgets[0].used == 600);
  std::string circle = text;
  circle.replace(circle.find("ParentAccount=root(1)"), 21, "ParentAccount=lab(3) ");
  CHECK(!parse_assoc_mgr(circle, "corp\\jdoe", "c").budgets.empty());
}

TEST_CASE("limits on the jobs of an account and of those below it, with what they use") {
  const auto limits = parse_assoc_mgr(
      "ClusterName=c Account=root UserName= Partition= Priority=0 ID=1\n    ParentAccount= DefAssoc=No\n"
      "    GrpJobs=N(3) GrpJobsAccrue=N(0)\n    GrpSubmitJobs=N(4) GrpWall=N(0.00)\n"
      "ClusterName=c Account=lab UserName= Partition= Priority=0 ID=3\n    ParentAccount=root(1) DefAssoc=No\n"
      "    GrpJobs=2(1) GrpJobsAccrue=N(0)\n    GrpSubmitJobs=5(4) GrpWall=N(0.00)\n"
      "    GrpTRES=cpu=N(2),mem=N(0),node=4(1),gres/gpu=3(2)\n"
      "ClusterName=c Account=lab UserName=ann(7) Partition=some Priority=0 ID=4\n    ParentAccount= DefAssoc=Yes\n"
      "    GrpJobs=1(1) GrpJobsAccrue=N(0)\n    GrpSubmitJobs=6(1) GrpWall=N(0.00)\n"
      "QOS=q1(2)\n"
      "    GrpJobs=5(0) GrpJobsAccrue=N(0) GrpSubmitJobs=9(0) GrpWall=N(0.00)\n"
      "    Account Limits\n      lab\n        MaxJobsPA=3(0) MaxJobsAccruePA=N(0) MaxSubmitJobsPA=4(0)\n",
      "ann", "c");
  REQUIRE(limits.accounts.size() == 2);
  const planner::Account& lab = limits.accounts[1];
  CHECK(lab.name == planner::DatabaseName("lab"));
  CHECK(lab.parent == planner::DatabaseName("root"));
  CHECK(lab.group_tres == planner::Tres{{"node", 4}, {"gres/gpu", 3}});
  CHECK(lab.used_tres == planner::Tres{{"cpu", 2}, {"node", 1}, {"gres/gpu", 2}});
  CHECK(lab.group_jobs == 2);
  CHECK(lab.used_jobs == 1);
  CHECK(lab.group_submit == 5);
  CHECK(lab.used_submit == 4);
  CHECK(!limits.accounts[0].group_jobs);
  CHECK(limits.accounts[0].used_jobs == 3);
  REQUIRE(limits.associations);
  CHECK(limits.associations->front().group_jobs == 1);
  CHECK(limits.associations->front().group_submit == 6);
  REQUIRE(limits.qos);
  CHECK(limits.qos->front().group_jobs == 5);
  CHECK(limits.qos->front().group_submit == 9);
  CHECK(limits.qos->front().max_jobs_per_account == 3);
  CHECK(limits.qos->front().max_submit_per_account == 4);
}

TEST_CASE("minutes that Slurm can't have are no limit") {
  const auto limits = parse_assoc_mgr(
      "QOS=long(1)\n    MaxWallPJ=4294967295\nQOS=damaged(2)\n    MaxWallPJ=7277124529082131341\n", "root", "");
  REQUIRE(limits.qos);
  CHECK((*limits.qos)[0].max_wall == std::chrono::minutes(4294967295));
  CHECK_FALSE((*limits.qos)[1].max_wall);
}
