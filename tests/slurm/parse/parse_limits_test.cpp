#include "slurm/parse/parse_limits.h"

#include "tests/slurm/recording.h"

using namespace rv;
using namespace rv::slurm;

namespace {

// As sacctmgr 22.05 prints it when its questions come on stdin.
constexpr const char* answer =
    "sacctmgr: show qos format=Name\n"
    "Name|Priority|Flags|MaxTRES|MaxTRESPerNode|MaxTRESPU|MaxTRESPA|GrpTRES|MinTRES|MaxWall|MaxJobsPU|MaxSubmitPU\n"
    "normal|0||||||||||\n"
    "mig|5|DenyOnLimit|cpu=2,gres/gpu=1|cpu=2|gres/gpu=4|||||3|\n"
    "sacctmgr: show assoc\n"
    "Cluster|Account|User|Partition|Def QOS|QOS|MaxTRES|MaxTRESPerNode|GrpTRES|MaxWall|MaxJobs|MaxSubmit\n"
    "here|lab|ann||normal|mig,normal|gres/gpu=16|||2-00:00:00|10|20\n"
    "here|other|ann|gpu||normal||||||\n"
    "there|lab|ann||secret|secret||||||\n"
    "here|lab|bob||normal|normal||||||\n"
    "sacctmgr: show user\n"
    "User|Def Acct\n"
    "ann|lab\n"
    "sacctmgr: \n";

}  // namespace

TEST_CASE("QOS, the user's associations and the default account from one answer") {
  const auto limits = parse_limits(answer, "ann", "Here");
  REQUIRE(limits.qos);
  REQUIRE(limits.associations);
  const auto& qos = *limits.qos;
  const auto& associations = *limits.associations;
  REQUIRE(qos.size() == 2);
  CHECK(qos[1].name == planner::DatabaseName("mig"));
  CHECK(qos[1].max_tres_per_job.at("cpu") == 2);
  CHECK(qos[1].max_tres_per_user.at("gres/gpu") == 4);
  CHECK(qos[1].max_jobs_per_user == 3);
  CHECK(!qos[1].max_submit_per_user);
  CHECK(qos[1].flags == std::vector<std::string>{"DenyOnLimit"});
  REQUIRE(associations.size() == 2);
  CHECK(associations[0].is_default_account);
  CHECK(associations[0].qos == std::vector<planner::DatabaseName>{"mig", "normal"});
  CHECK(associations[0].max_wall == std::chrono::hours(48));
  CHECK(associations[1].partition == "gpu");
  CHECK(!associations[1].is_default_account);
}

TEST_CASE("a recorded answer: the other cluster's associations stay out") {
  const auto limits = parse_limits(recording("22.05.8-more/limits.out"), "root", "h2");
  REQUIRE(limits.qos);
  REQUIRE(limits.qos->size() == 2);
  const auto& mig = limits.qos->at(1);
  CHECK(mig.name == planner::DatabaseName("mig"));
  CHECK(mig.flags == std::vector<std::string>{"DenyOnLimit"});
  CHECK(mig.max_tres_per_job.at("cpu") == 2);
  CHECK(mig.max_tres_per_job.at("mem") == 4096);
  CHECK(mig.max_wall == std::chrono::hours(48));
  CHECK(mig.max_jobs_per_user == 3);
  REQUIRE(limits.associations);
  REQUIRE(limits.associations->size() == 2);
  CHECK(limits.associations->at(0).account == planner::DatabaseName("lab"));
  CHECK(limits.associations->at(0).is_default_account);
  CHECK(limits.associations->at(0).qos == std::vector<planner::DatabaseName>{"mig", "normal"});
  CHECK(!limits.associations->at(1).is_default_account);
  CHECK(parse_limits(recording("22.05.8-more/limits.out"), "root", "").associations->size() == 4);
}

TEST_CASE("a user without associations has none, which is an answer") {
  const auto limits = parse_limits(recording("22.05.8-more/limits.out"), "nobody", "h2");
  REQUIRE(limits.associations);
  CHECK(limits.associations->empty());
}

TEST_CASE("columns are found by the header's names: every column of every release") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto text = recording(release + "/qos.head.out") + recording(release + "/assoc.head.out");
    const auto limits = parse_limits(text + "User|Def Acct\nroot|tiny\n", "root", "held");
    REQUIRE(limits.qos);
    REQUIRE(limits.qos->size() == 2);
    CHECK(limits.qos->at(1).name == planner::DatabaseName("gpulim"));
    CHECK(limits.qos->at(1).priority == 5);
    CHECK(limits.qos->at(1).max_wall == std::chrono::hours(24));
    CHECK(limits.qos->at(1).max_tres_per_user.at("gres/gpu") == 1);
    CHECK(limits.qos->at(1).max_tres_per_job.empty());
    REQUIRE(limits.associations);
    CHECK(limits.associations->size() == 3);
    for (const auto& association : *limits.associations) {
      CHECK(association.is_default_account == (association.account == planner::DatabaseName("tiny")));
      CHECK(association.qos.size() == (association.account == planner::DatabaseName("lab") ? 2U : 1U));
    }
  }
}

TEST_CASE("a missing answer is unknown, not empty") {
  const auto down = parse_limits(recording("22.05.8-more/limits.dbddown.out"), "root", "h2");
  CHECK(!down.qos);
  CHECK(!down.associations);
  CHECK(!parse_limits("", "ann", "").qos);
  // The connection broke after the first answer, and after the second.
  const std::string text = answer;
  const auto half = parse_limits(text.substr(0, text.find("sacctmgr: show assoc")), "ann", "");
  CHECK(half.qos);
  CHECK(!half.associations);
  CHECK(!parse_limits(text.substr(0, text.find("sacctmgr: show user")), "ann", "").associations);
  // A release without one of the columns.
  CHECK(!parse_limits("Name|Priority|Flags\nnormal|0|\n", "ann", "").qos);
}

TEST_CASE("limits on the jobs of a group, and the tree of accounts, in the words of each release") {
  for (const std::string parent : {"Par Name", "ParentName"}) {
    CAPTURE(parent);
    const std::string text =
        "Name|Priority|Flags|MaxTRES|MaxTRESPerNode|MaxTRESPU|MaxTRESPA|GrpTRES|MinTRES|MaxWall|MaxJobsPU|MaxSubmitPU|"
        "GrpJobs|GrpSubmit|MaxJobsPA|MaxSubmitPA\n"
        "q1|0||||||||||1|5|9|3|4\n"
        "Cluster|Account|User|Partition|Def QOS|QOS|MaxTRES|MaxTRESPerNode|GrpTRES|MaxWall|MaxJobs|MaxSubmit|GrpJobs|"
        "GrpSubmit\n"
        "here|sub|ann||normal|normal||||||||\n"
        "here|lab|ann|some|normal|normal||||||||\n"
        "here|lab|ann||normal|normal||||||20|2|7\n"
        "User|Def Acct\nann|lab\n"
        "Cluster|Account|" +
        parent + "\nhere|root|\nhere|lab|root\nhere|sub|lab\nthere|lab|other\n";
    const auto limits = parse_limits(text, "ann", "here");
    REQUIRE(limits.qos);
    CHECK(limits.qos->front().group_jobs == 5);
    CHECK(limits.qos->front().group_submit == 9);
    CHECK(limits.qos->front().max_jobs_per_account == 3);
    CHECK(limits.qos->front().max_submit_per_account == 4);
    CHECK(limits.qos->front().max_submit_per_user == 1);
    REQUIRE(limits.associations);
    REQUIRE(limits.associations->size() == 3);
    CHECK(limits.associations->back().group_jobs == 2);
    CHECK(limits.associations->back().group_submit == 7);
    REQUIRE(limits.accounts.size() == 3);
    CHECK(limits.accounts[0].parent.empty());
    CHECK(limits.accounts[2].name == planner::DatabaseName("sub"));
    CHECK(limits.accounts[2].parent == planner::DatabaseName("lab"));
  }
}

TEST_CASE("a prompt in front of a line is not part of it") {
  std::string text = answer;
  text.insert(text.find("Name|"), "sacctmgr: ");
  text.insert(text.find("mig|5"), "sacctmgr: ");
  CHECK(parse_limits(text, "ann", "here").qos->size() == 2);
}

TEST_CASE("who preempts whom; an answer that was kept by an earlier version says nothing of it") {
  std::string text = answer;
  const auto put = [&](const std::string& after, const std::string& more) {
    text.insert(text.find(after) + after.size(), more);
  };
  put("MaxSubmitPU", "|Preempt|PreemptMode|GraceTime|PreemptExemptTime");
  put("normal|0||||||||||", "||cluster|00:00:00|");
  put("gres/gpu=4|||||3|", "|normal,low|requeue|00:02:00|00:10:00");
  const auto limits = parse_limits(text, "ann", "Here");
  REQUIRE(limits.qos);
  CHECK(limits.qos->at(0).preempts.empty());
  CHECK(!limits.qos->at(0).preempt_exempt_time);
  CHECK(limits.qos->at(1).preempts == std::vector<planner::DatabaseName>{"normal", "low"});
  CHECK(limits.qos->at(1).preempt_mode == "requeue");
  CHECK(limits.qos->at(1).grace_time == std::chrono::minutes(2));
  CHECK(limits.qos->at(1).preempt_exempt_time == std::chrono::minutes(10));
  const auto old = parse_limits(answer, "ann", "Here");
  REQUIRE(old.qos);
  CHECK(old.qos->at(1).preempts.empty());
}

TEST_CASE("a user of a Windows domain is asked for as written, and found in any letter case") {
  CHECK(can_ask_limits_of("corp\\jdoe"));
  CHECK(!can_ask_limits_of("two words"));
  CHECK(limits_questions("Corp\\JDoe").find("show assoc user=Corp\\JDoe format=") != std::string::npos);
  std::string text = answer;
  for (auto at = text.find("|ann|"); at != std::string::npos; at = text.find("|ann|", at)) {
    text.replace(at, 5, "|corp\\jdoe|");
  }
  text.replace(text.find("ann|lab"), 3, "corp\\jdoe");
  const auto limits = parse_limits(text, "Corp\\JDoe", "HERE");
  REQUIRE(limits.associations);
  CHECK(limits.associations->size() == 2);
  CHECK(limits.associations->front().is_default_account);
}
