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

TEST_CASE("with such a limit and no answer about jobs nothing is sure") {
  Cluster cluster = test::afton();
  cluster.unanswered["jobs"] = "timed out";
  CHECK(fits(cluster));
  test::qos_of(cluster, "normal").max_tres_per_user = {{"gres/gpu", 100}};
  CHECK_FALSE(fits(cluster));
}

TEST_CASE("what the partition's QOS bounds is not bounded by the job's, nor by the account") {
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
