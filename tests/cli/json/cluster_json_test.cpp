#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/json/values_json.h"

namespace rv::cli {

namespace {

using namespace planner;
using std::chrono::seconds;

TimePoint at(std::int64_t epoch) {
  return TimePoint(seconds(epoch));
}

// Every field has a value that differs from the initial one and from its neighbours'.
ControllerSettings full_controller() {
  return {.version = "22.05.8",
          .cluster_name = "c1",
          .federation = "coast",
          .scheduler_parameters = {{"bf_window", "1440"}, {"bf_continue", ""}},
          .scheduler_type = "sched/backfill",
          .priority_type = "priority/multifactor",
          .priority_flags = {"MAX_TRES"},
          .preempt_type = "preempt/partition_prio",
          .preempt_mode = "REQUEUE",
          .preempt_exempt_time = seconds(60),
          .select_type_parameters = "CR_CORE_MEMORY",
          .requeue_by_default = false,
          .accounting = true,
          .enforced = {"associations", "limits"},
          .enforce_partition_limits = "ALL",
          .min_job_age = seconds(301),
          .kill_wait = seconds(31),
          .resume_timeout = seconds(61),
          .private_data = {"jobs", "cloud"},
          .max_memory_per_cpu = Mebibytes{11},
          .max_memory_per_node = Mebibytes{12},
          .default_memory_per_cpu = Mebibytes{15},
          .default_memory_per_node = Mebibytes{16},
          .default_memory_per_gpu = Mebibytes{13},
          .default_cpus_per_gpu = 14,
          .topology_plugin = "topology/tree",
          .max_array_size = 1001,
          .priority_weights = {{"QOS", 1000}, {"AGE", 1}},
          .licenses = {{{"solver", 2}}}};
}

Node full_node() {
  Node node;
  node.name = "n1";
  node.state = {"MIXED", {"DRAIN", "PLANNED"}};
  node.gpus = {{"a100", 8, 3}, {"", 1, 0}};
  node.cpus = 64;
  node.cpus_used = 13;
  node.memory = {1'000'000};
  node.memory_used = {5};
  node.features = {"a100_80gb", "x"};
  node.other_features = {"numa4"};
  node.partitions = {"gpu", "dev"};
  node.sockets = 2;
  node.weight = 7;
  node.top_switch = "s1";
  node.reason = "a \"quoted\" reason\nwith a line break, ä and [brackets]";
  return node;
}

Partition full_partition() {
  Partition partition;
  partition.name = "gpu";
  partition.is_default = true;
  partition.up = true;
  partition.state = "UP";
  partition.max_time = seconds(259'200);
  partition.default_time = seconds(3'600);
  partition.max_nodes = 4;
  partition.min_nodes = 2;
  partition.max_cpus_per_node = 40;
  partition.max_memory_per_node = Mebibytes{21};
  partition.max_memory_per_cpu = Mebibytes{22};
  partition.default_memory_per_node = Mebibytes{0};  // zero is a value, not absence
  partition.default_memory_per_cpu = Mebibytes{24};
  partition.max_cpus_per_socket = 20;
  partition.default_memory_per_gpu = Mebibytes{25};
  partition.default_cpus_per_gpu = 26;
  partition.jobs_per_cpu = 4;
  partition.forced_sharing = true;
  partition.least_loaded = true;
  partition.allow_accounts = {"a"};
  partition.deny_accounts = {"b"};
  partition.allow_groups = {"c"};
  partition.allow_qos = {"d"};
  partition.deny_qos = {"e"};
  partition.qos = "pq";
  partition.billing_weights = {{"cpu", 1.0}, {"gres/gpu:a100", 0.1}, {"mem", 1.0 / 3.0}};
  partition.priority_tier = 2;
  partition.priority_job_factor = 3;
  partition.preempt_mode = "OFF";
  partition.grace_time = seconds(120);
  partition.root_only = true;
  partition.disable_root_jobs = true;
  partition.hidden = true;
  partition.exclusive = true;
  partition.requires_reservation = true;
  return partition;
}

Qos full_qos() {
  Qos qos;
  qos.name = "pq";
  qos.priority = -5;
  qos.flags = {"DenyOnLimit"};
  qos.max_tres_per_job = {{"cpu", 2}};
  qos.max_tres_per_node = {{"cpu", 3}};
  qos.max_tres_per_user = {{"gres/gpu", 4}};
  qos.max_tres_per_account = {{"gres/gpu:a100", 0}};
  qos.group_tres = {{"node", 6}};
  qos.min_tres_per_job = {{"gres/gpu", 1}};
  qos.max_wall = seconds(7);
  qos.max_jobs_per_user = 8;
  qos.max_submit_per_user = 9;
  qos.group_jobs = 10;
  qos.max_jobs_per_account = 11;
  qos.group_submit = 12;
  qos.max_submit_per_account = 13;
  qos.preempts = {"low"};
  qos.preempt_mode = "requeue";
  qos.grace_time = seconds(30);
  qos.preempt_exempt_time = seconds(31);
  return qos;
}

Association full_association() {
  Association association;
  association.account = "lab";
  association.partition = "gpu";
  association.is_default_account = true;
  association.default_qos = "normal";
  association.qos = {"normal", "high"};
  association.max_tres_per_job = {{"cpu", 1}};
  association.max_tres_per_node = {{"cpu", 2}};
  association.group_tres = {{"cpu", 3}};
  association.max_wall = seconds(4);
  association.max_jobs = 5;
  association.max_submit = 6;
  association.group_jobs = 7;
  association.group_submit = 8;
  return association;
}

Account full_account() {
  Account account;
  account.name = "lab";
  account.parent = "faculty";
  account.group_tres = {{"gres/gpu", 8}};
  account.group_jobs = 9;
  account.group_submit = 10;
  account.used_tres = {{"gres/gpu", 3}};
  account.used_jobs = 2;
  account.used_submit = 4;
  return account;
}

QueuedJob full_job() {
  QueuedJob job;
  job.id = "12_[3-5]";
  job.user = "bob";
  job.account = "lab";
  job.partitions = {"gpu", "dev"};
  job.qos = "high";
  job.state = "PENDING";
  job.reason = "Resources";
  job.priority = 4'294'967'296;
  job.requested = {{"cpu", 4}, {"gres/gpu", 2}, {"gres/gpu:a100", 2}};
  job.gres_per_node = "gres:gpu:a100:2";
  job.nodes = 3;
  job.cpus = 12;
  job.min_memory = Mebibytes{100};
  job.min_memory_is_per_cpu = true;
  job.time_limit = seconds(60);
  job.submitted = at(1);
  job.eligible = at(2);
  job.start = at(3);
  job.node_names = {"n1"};
  job.scheduled_nodes = {"n2"};
  job.required_nodes = {"n3"};
  job.excluded_nodes = {"n4"};
  job.features = "a&b|c";
  job.dependency = "afterok:1";
  job.reservation = "maint";
  job.exclusive = true;
  job.part_of_het_job = true;
  job.array_tasks = 3;
  job.exclusive_user = true;
  job.oversubscribe = true;
  return job;
}

Cluster full_cluster() {
  Cluster cluster;
  cluster.taken_at = at(1'700'000'000);
  cluster.user = "ann";
  cluster.groups = {"users", "chem"};
  cluster.controller = full_controller();
  cluster.nodes = {full_node(), Node{}};
  cluster.partitions = {full_partition()};
  cluster.qos = {full_qos()};
  cluster.associations = {full_association()};
  cluster.accounts = {full_account()};
  cluster.reservations = {{"maint", at(10), at(20), {"n1", "n2"}, {"MAINT"}, {"root"}, {"lab"}, {"high"}, {"gpu"}}};
  cluster.jobs = {full_job(), QueuedJob{}};
  cluster.free_licenses = {{{"solver", 1}}};
  cluster.unanswered = {{"qos", "sacctmgr: timed out"}};
  return cluster;
}

std::string fault(const std::string& text) {
  try {
    cluster_from_json(nlohmann::json::parse(text));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

const std::string head = R"({"format":"rv-cluster","version":1,"taken_at":1,"partitions":[],"nodes":)";

}  // namespace

TEST_CASE("a cluster with every field set comes back exactly") {
  const auto first = cluster_to_json(full_cluster());
  const Cluster back = cluster_from_json(nlohmann::json::parse(json_text(first)));
  CHECK(json_text(cluster_to_json(back)) == json_text(first));

  // The text alone would not show a field that neither direction knows: some are compared as values.
  const Cluster want = full_cluster();
  CHECK(back.taken_at == want.taken_at);
  CHECK(back.nodes[0].state.flags == want.nodes[0].state.flags);
  CHECK(back.nodes[0].reason == want.nodes[0].reason);
  CHECK(back.nodes[0].gpus[0].used == 3);
  CHECK(back.partitions[0].default_memory_per_node == Mebibytes{0});
  CHECK(back.partitions[0].billing_weights == want.partitions[0].billing_weights);
  CHECK(back.qos[0].max_tres_per_account == want.qos[0].max_tres_per_account);
  CHECK(back.qos[0].priority == -5);
  CHECK(back.jobs[0].priority == want.jobs[0].priority);
  CHECK(back.jobs[0].start == want.jobs[0].start);
  CHECK_FALSE(back.jobs[1].start);
  CHECK(back.controller.requeue_by_default == false);
  CHECK(back.controller.kill_wait == seconds(31));
  CHECK(back.controller.resume_timeout == seconds(61));
  CHECK(back.controller.private_data == std::vector<std::string>{"jobs", "cloud"});
  CHECK(back.controller.federation == "coast");
  CHECK(back.free_licenses == want.free_licenses);
  CHECK(back.unanswered == want.unanswered);
}

TEST_CASE("every field of the full cluster is written") {
  const auto document = cluster_to_json(full_cluster());
  CHECK(document["nodes"][0].size() == 14);
  CHECK(document["nodes"][0]["gpus"][0].size() == 3);
  CHECK(document["partitions"][0].size() == 35);
  CHECK(document["qos"][0].size() == 20);
  CHECK(document["associations"][0].size() == 13);
  CHECK(document["reservations"][0].size() == 9);
  CHECK(document["jobs"][0].size() == 30);
  CHECK(document["controller"].size() == 29);
  CHECK(document.size() == 16);
}

TEST_CASE("an empty cluster has all its lists") {
  const auto document = cluster_to_json(Cluster{});
  CHECK(document["nodes"].is_array());
  CHECK(document["jobs"].empty());
  CHECK(document["unanswered"].is_object());
  CHECK(cluster_from_json(nlohmann::json::parse(json_text(document))).nodes.empty());
}

TEST_CASE("the file's faults are named with their place") {
  CHECK(fault("[]") == "format: not a cluster file (\"format\": \"rv-cluster\" is missing)");
  CHECK(fault(R"({"format":"rv-cluster","version":2})") ==
        "version: this is a cluster file of version 2, and this rv reads version 1");
  CHECK(fault(R"({"format":"rv-cluster"})") ==
        "version: this is a cluster file of version (none), and this rv reads version 1");
  CHECK(fault(R"({"format":"rv-cluster","version":1,"taken_at":1,"nodes":[]})") == "partitions: missing");
  CHECK(fault(head + R"([{"name":"a"},{"gpus":[{"total":"8"}]}]})") ==
        "nodes[1].gpus[0].total: expected a whole number");
  CHECK(fault(head + R"([{"cpus":4294967296}]})") == "nodes[0].cpus: expected a number from 0 to 16777216");
  // What the planner adds up and multiplies can't overflow.
  CHECK(fault(head + R"([{"cpus":16385}]})") == "nodes[0].cpus: expected a number from 0 to 16384");
  CHECK(fault(head + R"([{"cpus":-1}]})") == "nodes[0].cpus: expected a number from 0 to 16777216");
  CHECK(fault(head + R"([{"gpus":[{"total":16385}]}]})") ==
        "nodes[0].gpus[0].total: expected a number from 0 to 16384");
  CHECK(fault(head + R"([{"memory_mb":9223372036854775807}]})") ==
        "nodes[0].memory_mb: expected a number from 0 to 1099511627776");
  CHECK(fault(head + R"([],"jobs":[{"time_limit_s":9223372036854775807}]})") ==
        "jobs[0].time_limit_s: expected a number from 0 to 1099511627776");
  CHECK(fault(head + R"([],"jobs":[{"start":-9223372036854775808}]})") ==
        "jobs[0].start: expected a number from 0 to 1099511627776");
  CHECK(fault(head + R"([],"jobs":[{"requested":{"cpu":9223372036854775807}}]})") ==
        "jobs[0].requested.cpu: expected a number from 0 to 1099511627776");
  CHECK(fault(head + R"([],"jobs":[{"array_tasks":2147483647}]})") ==
        "jobs[0].array_tasks: expected a number from 0 to 16777216");
  CHECK(fault(head + R"([],"qos":[{"max_jobs_per_user":2147483647}]})") == "no error");
  CHECK(fault(head + R"([],"jobs":[{"name_key":-3}]})") == "jobs[0].name_key: expected a number from 0 to 4294967295");
  CHECK(fault(head + R"([],"jobs":[{"name_key":4294967296}]})") ==
        "jobs[0].name_key: expected a number from 0 to 4294967295");
  CHECK(fault(head + R"([{"cpus":1.5}]})") == "nodes[0].cpus: expected a whole number");
  CHECK(fault(head + R"([{"nmae":"a"}]})") == "nodes[0].nmae: unknown key; did you mean \"name\"?");
  CHECK(fault(head + R"({}})") == "nodes: expected a list");
  CHECK(fault(head + R"([3]})") == "nodes[0]: expected an object");
  CHECK(fault(head + R"([{"name":3}]})") == "nodes[0].name: expected a string");
  CHECK(fault(head + R"([],"user":"x","usr":1})") == "usr: unknown key; did you mean \"user\"?");
}

TEST_CASE("invalid UTF-8 does not stop the output") {
  Cluster cluster;
  cluster.user = "a\xff";
  CHECK(json_text(cluster_to_json(cluster)).find("a\xEF\xBF\xBD") != std::string::npos);
}

TEST_CASE("finished jobs are stored in the snapshot but not in the cluster") {
  auto document = nlohmann::json::parse(json_text(cluster_to_json({})));
  CHECK(history_from_json(document).empty());
  const nlohmann::json job{{"user", "mst3k"},      {"partition", "gpu-a40"}, {"start", 1'700'000'000},
                           {"end", 1'700'003'600}, {"limit_s", 7200},        {"gpus", 4}};
  document["history"] = nlohmann::json::array({job});
  const auto history = history_from_json(document);
  REQUIRE(history.size() == 1);
  CHECK(history[0].user == planner::DatabaseName("mst3k"));
  CHECK(history[0].end - history[0].start == std::chrono::hours(1));
  CHECK(history[0].limit == std::chrono::hours(2));
  CHECK(history[0].gpus == 4);
  CHECK(cluster_to_json(cluster_from_json(document)) == cluster_to_json({}));
  document["history"][0]["gpuz"] = 1;
  CHECK_THROWS_AS(history_from_json(document), Error);
}

}  // namespace rv::cli
