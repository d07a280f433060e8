#include "planner/cluster/usage.h"

#include <doctest/doctest.h>

#include "tests/planner/afton.h"

using namespace rv;
using namespace rv::planner;

namespace {

QueuedJob running(const DatabaseName& user, const std::string& partition, const std::string& qos, int gpus) {
  QueuedJob job;
  job.user = user;
  job.account = "lab";
  job.partitions = {partition};
  job.qos = qos;
  job.state = "RUNNING";
  job.requested = {{"gres/gpu", gpus}};
  return job;
}

bool fits(const Cluster& cluster, int gpus = 2) {
  Strategy strategy;
  strategy.gpu.name = "h200";
  strategy.gres_type = "h200";
  strategy.gpus_per_node = gpus;
  return within_shared_limits(cluster, measure_usage(cluster), *cluster.find_partition("gpu-h200"), strategy);
}

}  // namespace

TEST_CASE("a user's limit counts the user's running jobs") {
  Cluster cluster = test::afton();
  cluster.jobs = {running(cluster.user, "gpu-h200", "normal", 3), running("other", "gpu-h200", "normal", 4)};
  CHECK(fits(cluster));
  test::qos_of(cluster, "normal").max_tres_per_user = {{"gres/gpu", 5}};
  CHECK(fits(cluster));
  CHECK_FALSE(fits(cluster, 3));
}

TEST_CASE("a partition QOS counts the jobs of its partitions") {
  Cluster cluster = test::afton();
  cluster.jobs = {running(cluster.user, "gpu-h200", "normal", 3), running(cluster.user, "gpu-a40", "normal", 8)};
  test::qos_of(cluster, "h200").max_tres_per_user = {{"gres/gpu", 5}};
  CHECK(fits(cluster));
  test::qos_of(cluster, "h200").max_tres_per_user = {{"gres/gpu", 4}};
  CHECK_FALSE(fits(cluster));
}

TEST_CASE("a group limit counts everyone") {
  Cluster cluster = test::afton();
  cluster.jobs = {running("other", "gpu-a40", "normal", 7)};
  test::qos_of(cluster, "normal").group_tres = {{"gres/gpu", 8}};
  CHECK_FALSE(fits(cluster));
  CHECK(fits(cluster, 1));
}

TEST_CASE("limits on the number of jobs, of QOS and association") {
  Cluster cluster = test::afton();
  cluster.jobs = {running(cluster.user, "gpu-a40", "normal", 1)};
  test::qos_of(cluster, "normal").max_jobs_per_user = 2;
  CHECK(fits(cluster));
  test::qos_of(cluster, "normal").max_jobs_per_user = 1;
  CHECK_FALSE(fits(cluster));
  test::qos_of(cluster, "normal").max_jobs_per_user.reset();
  cluster.associations[0].max_jobs = 1;
  CHECK_FALSE(fits(cluster));
  cluster.associations[0].max_jobs.reset();
  cluster.associations[0].group_tres = {{"gres/gpu", 2}};
  CHECK_FALSE(fits(cluster));
}

TEST_CASE("with such a limit and without a list of jobs the result is unknown") {
  Cluster cluster = test::afton();
  cluster.unanswered["jobs"] = "timed out";
  CHECK(fits(cluster));
  test::qos_of(cluster, "normal").max_tres_per_user = {{"gres/gpu", 100}};
  CHECK_FALSE(fits(cluster));
}

TEST_CASE("a limit of the partition's QOS replaces that of the job's QOS and of the account") {
  Cluster cluster = test::afton();
  cluster.jobs = {running(cluster.user, "gpu-h200", "normal", 1)};
  test::qos_of(cluster, "normal").max_tres_per_user = {{"gres/gpu", 1}};
  test::qos_of(cluster, "normal").max_jobs_per_user = 1;
  CHECK_FALSE(fits(cluster));
  test::qos_of(cluster, "h200").max_tres_per_user = {{"gres/gpu", 8}};
  CHECK_FALSE(fits(cluster));  // the number of jobs
  test::qos_of(cluster, "h200").max_jobs_per_user = 2;
  CHECK(fits(cluster));
  // Unless the job's own QOS comes before the partition's.
  test::qos_of(cluster, "normal").flags = {"OverPartQOS"};
  CHECK_FALSE(fits(cluster));
  test::qos_of(cluster, "normal").flags.clear();
  cluster.associations[0].group_tres = {{"gres/gpu", 1}};
  CHECK_FALSE(fits(cluster));
  test::qos_of(cluster, "h200").group_tres = {{"gres/gpu", 8}};
  CHECK(fits(cluster));
}

TEST_CASE("limits of the accounts above count the jobs of every account below them") {
  Cluster cluster = test::afton();
  test::add_account(cluster, "root");
  test::add_account(cluster, "dep", "root");
  test::add_account(cluster, "lab", "dep");
  test::add_account(cluster, "next", "dep");
  test::add_account(cluster, "far", "root");
  cluster.jobs = {running("other", "gpu-a40", "normal", 3)};
  cluster.jobs[0].account = "next";
  CHECK(fits(cluster));
  cluster.accounts[1].group_tres = {{"gres/gpu", 4}};
  CHECK_FALSE(fits(cluster));
  CHECK(fits(cluster, 1));
  cluster.jobs[0].account = "far";
  CHECK(fits(cluster));
  cluster.accounts[0].group_jobs = 1;
  CHECK_FALSE(fits(cluster));
  cluster.jobs[0].state = "COMPLETING";
  CHECK(fits(cluster));
  // What the controller counts and the queue does not show.
  cluster.accounts[0].used_jobs = 1;
  CHECK_FALSE(fits(cluster));
  cluster.accounts[0].used_jobs = 0;
  cluster.accounts[1].used_tres = {{"gres/gpu", 3}};
  CHECK_FALSE(fits(cluster));
  // A QOS that sets the limit replaces it.
  test::qos_of(cluster, "normal").group_tres = {{"gres/gpu", 8}};
  CHECK(fits(cluster));
}

TEST_CASE("limits of the user's accounts and of their parents are known, not those of siblings") {
  Cluster cluster = test::afton();
  CHECK_FALSE(SharedBounds(cluster).knows_limits_of("lab"));
  test::add_account(cluster, "dep");
  test::add_account(cluster, "lab", "dep");
  test::add_account(cluster, "next", "dep");
  const SharedBounds bounds(cluster);
  CHECK(bounds.knows_limits_of("lab"));
  CHECK(bounds.knows_limits_of("dep"));
  CHECK_FALSE(bounds.knows_limits_of("next"));
}

TEST_CASE("a circle of accounts ends") {
  Cluster cluster = test::afton();
  test::add_account(cluster, "lab", "dep");
  test::add_account(cluster, "dep", "lab").group_jobs = 1;
  CHECK(fits(cluster));
  cluster.jobs = {running("other", "gpu-a40", "normal", 3)};
  CHECK_FALSE(fits(cluster));
}

TEST_CASE("limits on the jobs of a QOS, and of an account in it") {
  Cluster cluster = test::afton();
  cluster.jobs = {running("other", "gpu-a40", "normal", 1)};
  test::qos_of(cluster, "normal").group_jobs = 1;
  CHECK_FALSE(fits(cluster));
  test::qos_of(cluster, "normal").group_jobs.reset();
  test::qos_of(cluster, "normal").max_jobs_per_account = 1;
  CHECK_FALSE(fits(cluster));
  cluster.jobs[0].account = "other";
  CHECK(fits(cluster));
  // Either limit per user or account of a QOS replaces MaxJobs of the association.
  cluster.jobs[0].user = cluster.user;
  cluster.jobs[0].account = "lab";
  cluster.associations[0].max_jobs = 1;
  test::qos_of(cluster, "normal").max_jobs_per_account = 2;
  CHECK(fits(cluster));
}

TEST_CASE("a QOS counts all of its jobs, also those that another QOS keeps from its limit") {
  Cluster cluster = test::afton();
  cluster.jobs = {running(cluster.user, "gpu-h200", "normal", 3)};
  test::qos_of(cluster, "normal").max_tres_per_user = {{"gres/gpu", 4}};
  test::qos_of(cluster, "h200").max_tres_per_user = {{"gres/gpu", 8}};
  CHECK(fits(cluster));
  Strategy strategy;
  strategy.gpu.name = strategy.gres_type = "a40";
  strategy.gpus_per_node = 2;
  CHECK_FALSE(within_shared_limits(cluster, measure_usage(cluster), *cluster.find_partition("gpu-a40"), strategy));
}

TEST_CASE("an association for one partition counts and bounds the jobs there") {
  Cluster cluster = test::afton();
  Association narrow = cluster.associations[0];
  narrow.partition = "gpu-h200";
  narrow.max_jobs = 1;
  narrow.group_tres = {{"gres/gpu", 1}};
  cluster.associations.push_back(narrow);
  cluster.jobs = {running(cluster.user, "gpu-a40", "normal", 1)};
  CHECK(fits(cluster, 1));
  CHECK_FALSE(fits(cluster, 2));
  cluster.jobs[0].partitions = {"gpu-h200"};
  CHECK_FALSE(fits(cluster, 1));
}

TEST_CASE("a limit on nodes counts a node once") {
  Cluster cluster = test::afton();
  cluster.jobs = {running("a", "gpu-a40", "normal", 1), running("b", "gpu-a40", "normal", 1)};
  for (QueuedJob& job : cluster.jobs) job.node_names = {"n1"};
  test::qos_of(cluster, "normal").group_tres = {{"node", 2}};
  CHECK(fits(cluster));
  cluster.jobs[1].node_names = {"n2"};
  CHECK_FALSE(fits(cluster));
}

TEST_CASE("billing is a TRES like others: the CPUs where the partition has no weights") {
  Cluster cluster = test::afton();
  cluster.jobs = {running("other", "gpu-a40", "normal", 1)};
  cluster.jobs[0].requested["billing"] = 7;
  test::qos_of(cluster, "normal").group_tres = {{"billing", 8}};
  Strategy strategy;
  strategy.cpus_per_node = 1;
  const Partition& partition = *cluster.find_partition("gpu-a40");
  CHECK(within_shared_limits(cluster, measure_usage(cluster), partition, strategy));
  strategy.cpus_per_node = 2;
  CHECK_FALSE(within_shared_limits(cluster, measure_usage(cluster), partition, strategy));
}
