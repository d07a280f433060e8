// database_names.yaml: one name in two spellings, as a limit, a QOS, a user and an account meet it.
#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include <string>

#include "planner/cluster/admission.h"
#include "planner/cluster/usage.h"
#include "slurm/parse/parse_assoc_mgr.h"
#include "slurm/parse/parse_limits.h"
#include "tests/source_tree.h"

namespace rv::planner {
namespace {

/// One running job of the user, and a QOS that allows no more.
Cluster cluster_of(const std::string& database) {
  Cluster cluster;
  cluster.user = database;
  Partition partition;
  partition.name = "gpu";
  partition.up = true;
  partition.allow_accounts = {database};
  partition.allow_qos = {database};
  cluster.partitions.push_back(partition);
  Qos qos;
  qos.name = database;
  qos.group_jobs = 1;
  cluster.qos.push_back(qos);
  Association association;
  association.account = association.default_qos = database;
  association.qos = {database};
  association.is_default_account = true;
  association.max_jobs = 1;
  cluster.associations.push_back(association);
  return cluster;
}

}  // namespace

TEST_CASE("one name of the database in two spellings is one name everywhere") {
  for (const auto& row : YAML::LoadFile(in_tree("tests/field/database_names.yaml"))["rows"]) {
    const auto written = row["written"].as<std::string>();
    const auto database = row["database"].as<std::string>();
    const bool same = row["same"].as<bool>(true);
    CAPTURE(written);
    CHECK((DatabaseName(written) == DatabaseName(database)) == same);
    CHECK(Tres({{database, 1}}).contains(written) == same);

    Cluster cluster = cluster_of(database);
    CHECK((cluster.find_qos(written) != nullptr) == same);
    Request request;
    request.account = written;
    request.qos = written;
    CHECK(admit(cluster, cluster.partitions[0], request).refusal.empty() == same);

    QueuedJob job;
    job.user = job.account = job.qos = written;
    job.state = "RUNNING";
    job.partitions = {"gpu"};
    cluster.jobs.push_back(job);
    const Usage usage = measure_usage(cluster);
    const std::string key = DatabaseName(database).key();
    CHECK(usage.by_counter.contains("qos\n" + key) == same);
    CHECK(usage.by_counter.contains("own\n" + key + '\n') == same);

    const std::string text = "ClusterName=" + database + " Account=lab UserName=" + database +
                             "(7) Partition= Priority=0 ID=4\n    ParentAccount= DefAssoc=Yes\n";
    CHECK(slurm::parse_assoc_mgr(text, written, written).associations.has_value() == same);
  }
}

}  // namespace rv::planner
