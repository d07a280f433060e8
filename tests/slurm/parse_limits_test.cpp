#include "slurm/parse_limits.h"

#include <doctest/doctest.h>

#include "slurm/parse_queue.h"

using namespace rv::slurm;

namespace {

// As sacctmgr 22.05 prints it when its questions come on stdin.
constexpr const char* answer =
    "sacctmgr: show qos format=Name\n"
    "Name|Priority|Flags|MaxTRES|MaxTRESPerNode|MaxTRESPU|MaxTRESPA|GrpTRES|MinTRES|MaxWall|MaxJobsPU|MaxSubmitPU\n"
    "normal|0||||||||||\n"
    "mig|5|DenyOnLimit|cpu=2,gres/gpu=1|cpu=2|gres/gpu=4|||||3|\n"
    "sacctmgr: show assoc\n"
    "Account|User|Partition|Def QOS|QOS|MaxTRES|MaxTRESPerNode|GrpTRES|MaxWall|MaxJobs|MaxSubmit\n"
    "lab|ann||normal|mig,normal|gres/gpu=16|||2-00:00:00|10|20\n"
    "other|ann|gpu||normal||||||\n"
    "lab|bob||normal|normal||||||\n"
    "sacctmgr: show user\n"
    "User|Def Acct\n"
    "ann|lab\n"
    "sacctmgr: \n";

}  // namespace

TEST_CASE("QOS, the user's associations and the default account from one answer") {
  const auto limits = parse_limits(answer, "ann");
  REQUIRE(limits.qos.size() == 2);
  CHECK(limits.qos[1].name == "mig");
  CHECK(limits.qos[1].max_tres_per_job.at("cpu") == 2);
  CHECK(limits.qos[1].max_tres_per_user.at("gres/gpu") == 4);
  CHECK(limits.qos[1].max_jobs_per_user == 3);
  CHECK(!limits.qos[1].max_submit_per_user);
  CHECK(limits.qos[1].flags == std::vector<std::string>{"DenyOnLimit"});
  REQUIRE(limits.associations.size() == 2);
  CHECK(limits.associations[0].is_default_account);
  CHECK(limits.associations[0].qos == std::vector<std::string>{"mig", "normal"});
  CHECK(limits.associations[0].max_wall == std::chrono::hours(48));
  CHECK(limits.associations[1].partition == "gpu");
  CHECK(!limits.associations[1].is_default_account);
}

TEST_CASE("a prompt in front of a line is no part of it, silence is no QOS") {
  CHECK(parse_limits("sacctmgr: Name|Priority|x\nsacctmgr: normal|0||||||||||\n", "ann").qos.size() == 1);
  CHECK(parse_limits("", "ann").qos.empty());
  CHECK(parse_limits("sacctmgr: error: slurm_persist_conn_open_without_init\n", "ann").qos.empty());
}

TEST_CASE("a queue row has its columns by the unit separator") {
  std::string row;
  for (const char* field : {"123_[5-9%1]",
                            "PENDING",
                            "gpu,gpu-a100",
                            "1000",
                            "ann",
                            "lab",
                            "normal",
                            "2",
                            "16",
                            "4000Mc",
                            "cpu=16,gres/gpu=8,gres/gpu:a100=8",
                            "gres:gpu:a100:4",
                            "3-00:00:00",
                            "1795233184",
                            "1795233184",
                            "N/A",
                            "",
                            "n[1-2]",
                            "",
                            "a100_80gb|a6000",
                            "(null)",
                            "(null)",
                            "OK",
                            "N/A",
                            "Priority"}) {
    row += std::string(field) + '\x1f';
  }
  const auto jobs = parse_queue(row + "\nbroken row\n");
  REQUIRE(jobs.size() == 1);
  CHECK(jobs[0].array_tasks == 5);
  CHECK(jobs[0].partitions == std::vector<std::string>{"gpu", "gpu-a100"});
  CHECK(jobs[0].requested.at("gres/gpu:a100") == 8);
  CHECK(jobs[0].gres_per_node == "gres:gpu:a100:4");
  CHECK(jobs[0].features == "a100_80gb|a6000");
  CHECK(jobs[0].min_memory_is_per_cpu);
  CHECK(jobs[0].time_limit == std::chrono::hours(72));
  CHECK(!jobs[0].start);
  CHECK(jobs[0].scheduled_nodes.size() == 2);
  CHECK(!jobs[0].part_of_het_job);
  CHECK(jobs[0].reason == "Priority");
}
