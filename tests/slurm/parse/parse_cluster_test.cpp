#include "slurm/parse/parse_cluster.h"

#include <algorithm>
#include <chrono>

#include "slurm/parse/parse_topology.h"
#include "tests/slurm/recording.h"

using namespace rv;
using namespace rv::slurm;
using namespace std::chrono_literals;

namespace {

template <typename Item>
const Item& named(const std::vector<Item>& items, const std::string& name) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  REQUIRE_MESSAGE(found != items.end(), name);
  return *found;
}

}  // namespace

TEST_CASE("nodes of every release: GPUs, memory, partitions, state") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto nodes = parse_nodes(recording(release + "/node.epoch.out"));
    CHECK(nodes.size() == 10);
    const auto& a6000 = named(nodes, "udc-an28-1");
    REQUIRE(a6000.gpus.size() == 1);
    CHECK(a6000.gpus[0].type == "a6000");
    CHECK(a6000.gpus[0].total == 8);
    CHECK(a6000.gpus[0].used > 0);
    CHECK(a6000.memory.count > 100'000);
    CHECK(a6000.cpus > 0);
    CHECK(a6000.cpus_used > 0);
    CHECK(!a6000.partitions.empty());
    CHECK(a6000.state.usable());
    const auto drained =
        std::count_if(nodes.begin(), nodes.end(), [](const auto& node) { return node.state.has("DRAIN"); });
    CHECK(drained >= 1);
    for (const auto& node : nodes) {
      if (node.state.has("DRAIN")) {
        CHECK(!node.state.usable());
        CHECK(!node.reason.empty());
      }
    }
    const auto without_gpus =
        std::count_if(nodes.begin(), nodes.end(), [](const auto& node) { return node.gpus.empty(); });
    CHECK(without_gpus >= 1);
  }
}

TEST_CASE("licences that are free, before and from 21.08 on") {
  const auto free = parse_free_licenses(
      "LicenseName=solver Total=2 Used=1 Free=1 Remote=no \n"
      "LicenseName=matlab@flex Total=10 Used=10 Free=0 Reserved=0 Remote=yes\n");
  CHECK(free == std::map<std::string, std::int64_t>{{"matlab@flex", 0}, {"solver", 1}});
  CHECK(parse_free_licenses("No licenses configured in Slurm.\n").empty());
}

TEST_CASE("node states with marks and flags") {
  auto state = parse_node_state("MIXED+PLANNED");
  CHECK(state.base == "MIXED");
  CHECK(state.has("PLANNED"));
  CHECK(state.usable());
  state = parse_node_state("DOWN*+DRAIN");
  CHECK(state.base == "DOWN");
  CHECK(state.has("NOT_RESPONDING"));
  CHECK(state.has("DRAIN"));
  CHECK(!state.usable());
  CHECK(parse_node_state("IDLE~").has("POWERED_DOWN"));
  CHECK(!parse_node_state("IDLE+MAINTENANCE").usable());
  CHECK(!parse_node_state("FUTURE").usable());
  CHECK(!parse_node_state("").usable());
}

TEST_CASE("partitions of every release") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto partitions = parse_partitions(recording(release + "/partition.epoch.out"));
    CHECK(partitions.size() >= 5);
    const auto up = std::count_if(partitions.begin(), partitions.end(), [](const auto& p) { return p.up; });
    CHECK(up >= 4);
    CHECK(up < static_cast<std::ptrdiff_t>(partitions.size()));  // one is down in the scenario
    CHECK(named(partitions, "gpu-a6000").max_time.has_value());
  }
}

TEST_CASE("a partition's limits, lists and weights") {
  const auto partitions = parse_partitions(
      "PartitionName=gpu AllowGroups=ALL AllowAccounts=lab,chem AllowQos=ALL DenyQos=low Default=YES QoS=gpulim "
      "DisableRootJobs=YES "
      "DefaultTime=01:00:00 MaxNodes=4 MaxTime=3-00:00:00 MinNodes=0 MaxCPUsPerNode=32 Nodes=n[1-4] PriorityTier=10 "
      "RootOnly=NO ReqResv=YES OverSubscribe=EXCLUSIVE GraceTime=90 PreemptMode=REQUEUE State=UP DefMemPerCPU=4000 "
      "MaxMemPerCPU=9000 TRESBillingWeights=CPU=1.0,Mem=0.25G,GRES/gpu=2.5\n"
      "PartitionName=open AllowAccounts=ALL DenyAccounts=bad MaxNodes=UNLIMITED MaxTime=UNLIMITED QoS=N/A State=DOWN "
      "DefMemPerNode=UNLIMITED MaxMemPerNode=UNLIMITED\n");
  REQUIRE(partitions.size() == 2);
  const auto& gpu = partitions[0];
  CHECK(gpu.is_default);
  CHECK(gpu.disable_root_jobs);
  CHECK(gpu.up);
  CHECK(gpu.allow_accounts == std::vector<planner::DatabaseName>{"lab", "chem"});
  CHECK(gpu.deny_qos == std::vector<planner::DatabaseName>{"low"});
  CHECK(gpu.qos == planner::DatabaseName("gpulim"));
  CHECK(gpu.max_nodes == 4);
  CHECK(gpu.max_time == 72h);
  CHECK(gpu.default_time == 1h);
  CHECK(gpu.grace_time == 90s);
  CHECK(gpu.preempt_mode == "REQUEUE");
  CHECK(gpu.max_cpus_per_node == 32);
  CHECK(gpu.max_memory_per_cpu->count == 9000);
  CHECK(gpu.requires_reservation);
  CHECK(gpu.exclusive);
  CHECK(gpu.billing_weights.at("gres/gpu") == 2.5);
  CHECK(gpu.billing_weights.at("mem") == 0.25);
  const auto& open = partitions[1];
  CHECK(!open.up);
  CHECK(!open.max_nodes);
  CHECK(!open.max_time);
  CHECK(open.allow_accounts.empty());
  CHECK(open.deny_accounts == std::vector<planner::DatabaseName>{"bad"});
  CHECK(open.qos.empty());
  CHECK(!open.max_memory_per_node);
}

TEST_CASE("whole-node partitions under both names: OverSubscribe up to 25.11, Exclusive in 26.05") {
  const auto partition = [](const std::string& keys) {
    return parse_partitions("PartitionName=gpu AllowGroups=ALL " + keys + " PreemptMode=OFF State=UP\n").at(0);
  };
  CHECK(partition("ExclusiveUser=NO OverSubscribe=EXCLUSIVE").exclusive);
  CHECK(partition("Exclusive=NODE OverSubscribe=NO").exclusive);
  CHECK(partition("Exclusive=TOPO OverSubscribe=NO").exclusive);
  CHECK_FALSE(partition("Exclusive=NO OverSubscribe=NO").exclusive);
  CHECK_FALSE(partition("Exclusive=USER OverSubscribe=NO").exclusive);
  CHECK(partition("Exclusive=USER OverSubscribe=NO").exclusive_user);
  CHECK(partition("ExclusiveUser=YES OverSubscribe=NO").exclusive_user);
  CHECK_FALSE(partition("Exclusive=NODE OverSubscribe=NO").exclusive_user);
}

TEST_CASE("a node's owner, and the stamp of its reason as a date") {
  const auto nodes = parse_nodes(
      "NodeName=n1 State=MIXED Owner=ann(1001) MCS_label=N/A NextState=RESUME Partitions=gpu  "
      "Reason=Kill task failed, a=b | x [root@1795740746]\n       second line\nNodeName=n2 State=IDLE Owner=N/A\n");
  REQUIRE(nodes.size() == 2);
  CHECK(nodes[0].owner == planner::DatabaseName("ann"));
  CHECK(nodes[0].state.next == "RESUME");
  CHECK(nodes[0].reason == "Kill task failed, a=b | x [root@2026-11-27 00:52:26 UTC] second line");
  CHECK(nodes[1].owner.empty());
  CHECK(parse_node_reason("bad fan [root@2026-11-21T03:54:34]") == "bad fan [root@2026-11-21T03:54:34]");
  CHECK(parse_node_reason("bad fan") == "bad fan");
}

TEST_CASE("reservations of QOS and partitions (25.11), as 26.05 prints them") {
  const auto reservations = parse_reservations(
      "ReservationName=class2 StartTime=1795744439 EndTime=1795748039 Duration=01:00:00 Nodes=rwhole-1 NodeCnt=1 "
      "CoreCnt=8 Features=(null) PartitionName=(null) Flags=SPEC_NODES,MAGNETIC TRES=cpu=8 "
      "AllowedPartitions=part,whole QOS=normal Users=root Groups=(null) Accounts=(null) Licenses=(null) State=ACTIVE "
      "BurstBuffer=(null) MaxStartDelay=(null)\n");  // of 26.05.3
  REQUIRE(reservations.size() == 1);
  CHECK(reservations[0].qos == std::vector<planner::DatabaseName>{"normal"});
  CHECK(reservations[0].partitions == std::vector<std::string>{"part", "whole"});
  CHECK(reservations[0].users == std::vector<planner::DatabaseName>{"root"});
  CHECK(reservations[0].accounts.empty());
}

TEST_CASE("reservations") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto reservations = parse_reservations(recording(release + "/reservation.epoch.out"));
    REQUIRE(!reservations.empty());
    for (const auto& reservation : reservations) {
      CHECK(reservation.end > reservation.start);
      CHECK(!reservation.nodes.empty());
    }
  }
  CHECK(parse_reservations("No reservations in the system\n").empty());
}

TEST_CASE("controller settings") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto settings = parse_config(recording(release + "/config.epoch.out"));
    CHECK(settings.version.starts_with(release.substr(0, 5)));
    CHECK(settings.accounting);
    CHECK(std::find(settings.enforced.begin(), settings.enforced.end(), "limits") != settings.enforced.end());
    CHECK(!settings.cluster_name.empty());
    CHECK(settings.min_job_age > 0s);
    CHECK(!settings.scheduler_parameters.empty());
    CHECK(settings.preempt_type == "preempt/partition_prio");
    CHECK(settings.preempt_exempt_time == 0s);
  }
  const auto settings = parse_config(
      "MinJobAge               = 42 sec\nPreemptExemptTime = 00:05:00\nJobRequeue = 0\nMaxMemPerCPU = UNLIMITED\n"
      "SchedulerParameters = bf_window=1440,defer\nPriorityWeightQOS = 1000\nLicenses = solver:2,matlab\n");
  CHECK(settings.min_job_age == 42s);
  CHECK(settings.preempt_exempt_time == 5min);
  CHECK(!settings.requeue_by_default);
  CHECK(!settings.max_memory_per_cpu);
  CHECK(settings.scheduler_parameters.at("bf_window") == "1440");
  CHECK(settings.scheduler_parameters.contains("defer"));
  CHECK(settings.priority_weights.at("QOS") == 1000);
  CHECK(settings.licenses == std::map<std::string, std::int64_t>{{"matlab", 1}, {"solver", 2}});
  CHECK(settings.credential_life == 120s);
  CHECK(parse_config("AuthInfo = socket=/run/munge.socket,cred_expire=40\n").credential_life == 40s);
}

TEST_CASE("which controller answers, and since when") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto identity = parse_identity(recording(release + "/config.epoch.out"));
    CHECK(identity.cluster_name == planner::DatabaseName("held"));
    REQUIRE(identity.boot_time);
    CHECK(*identity.boot_time < recorded_at(release));
    CHECK(*identity.boot_time > recorded_at(release) - std::chrono::hours(1));
  }
  CHECK(parse_identity("BOOT_TIME = 1795235535\n").boot_time == rv::planner::TimePoint(1795235535s));
  const auto identity = parse_identity("BOOT_TIME = N/A\n");
  CHECK(identity.cluster_name.empty());
  CHECK(!identity.boot_time);
}

TEST_CASE("2,000 nodes are read whole") {
  const auto text = recording("22.05.8-large/node_o_d.out.gz");
  const auto nodes = parse_nodes(text);
  CHECK(nodes.size() == 2000);
  int gpus = 0;
  for (const auto& node : nodes) {
    for (const auto& pool : node.gpus) gpus += pool.total;
  }
  CHECK(gpus > 1000);
}

TEST_CASE("specific values are the same on every release") {
  for (const std::string release : releases) {
    CAPTURE(release);
    const auto nodes = parse_nodes(recording(release + "/node.epoch.out"));
    const auto& mig = named(nodes, "udc-an37-1");
    CHECK(std::any_of(mig.gpus.begin(), mig.gpus.end(), [](const auto& pool) { return pool.type == "1g.10gb"; }));
    const auto partitions = parse_partitions(recording(release + "/partition.epoch.out"));
    CHECK(partitions.size() == 8);
    CHECK(std::none_of(partitions.begin(), partitions.end(), [](const auto& one) { return one.exclusive; }));
  }
}

TEST_CASE("a site's hidden data and the boot time of its nodes are read") {
  const auto settings = parse_config("PrivateData = cloud,jobs,usage\nResumeTimeout = 600 sec\n");
  CHECK(settings.private_data == std::vector<std::string>{"cloud", "jobs", "usage"});
  CHECK(settings.resume_timeout == 600s);
  CHECK(parse_config("PrivateData = none\n").private_data.empty());
  CHECK(
      parse_partitions("PartitionName=cloud Nodes=sky-[1-2] State=UP TotalCPUs=16 TotalNodes=2\n").at(0).total_nodes ==
      2);
}

TEST_CASE("federations") {
  CHECK(parse_federation("Federation: coast\nSelf:       west:127.0.0.1:23500 ID:2 FedState:ACTIVE Features:\n") ==
        "coast");
  CHECK(parse_federation("").empty());
}

TEST_CASE("a plugin's section does not overrule the controller's, and 'none' enforces nothing") {
  const auto settings =
      parse_config("KillWait = 30 sec\nAccountingStorageEnforce = none\n\nCgroup Support:\nKillWait = 5 sec\n");
  CHECK(settings.kill_wait == 30s);
  CHECK(settings.enforced.empty());
}

TEST_CASE("a partition's sharing, socket limit and defaults of GPUs are read") {
  const auto partitions = parse_partitions(
      "PartitionName=force MaxCPUsPerNode=6 MaxCPUsPerSocket=3 OverSubscribe=FORCE:2 "
      "JobDefaults=DefCpuPerGPU=2,DefMemPerGPU=4000\n"
      "PartitionName=may MaxCPUsPerSocket=UNLIMITED OverSubscribe=YES:8 JobDefaults=(null)\n"
      "PartitionName=usual OverSubscribe=NO\n");
  REQUIRE(partitions.size() == 3);
  CHECK(partitions[0].forced_sharing);
  CHECK(partitions[0].jobs_per_cpu == 2);
  CHECK(partitions[0].max_cpus_per_node == 6);
  CHECK(partitions[0].max_cpus_per_socket == 3);
  CHECK(partitions[0].default_cpus_per_gpu == 2);
  CHECK(partitions[0].default_memory_per_gpu == Mebibytes{4000});
  CHECK_FALSE(partitions[1].forced_sharing);
  CHECK(partitions[1].jobs_per_cpu == 8);
  CHECK_FALSE(partitions[1].max_cpus_per_socket);
  CHECK_FALSE(partitions[1].default_memory_per_gpu);
  CHECK(partitions[2].jobs_per_cpu == 1);
}

TEST_CASE("a node's top switch is the highest that lists it, and a node under no switch has none") {
  const auto switches = parse_top_switches(
      "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=na-[1-2]\n"
      "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=nb-1\n"
      "SwitchName=s2 Level=0 LinkSpeed=1 Nodes=nc-1\n"
      "SwitchName=top Level=1 LinkSpeed=1 Nodes=na-[1-2],nb-1 Switches=s[0-1]\n");
  CHECK(switches.at("na-1") == "top");
  CHECK(switches.at("nb-1") == "top");
  CHECK(switches.at("nc-1") == "s2");
  CHECK_FALSE(switches.contains("nd-1"));
  CHECK(parse_top_switches("No topology information available\n").empty());
}
