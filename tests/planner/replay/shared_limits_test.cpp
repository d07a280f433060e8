#include "planner/replay/model/shared_limits.h"

#include <doctest/doctest.h>

#include "tests/planner/afton.h"

using namespace rv;
using namespace rv::planner;

namespace {

// The smallest number of GPUs under the limits of a job of the snapshot's user; -1: none.
std::int64_t gpus(const Cluster& cluster, const std::vector<std::string>& partitions) {
  std::vector<DatabaseName> types;
  SharedLimits limits(cluster, types);
  std::int64_t least = -1;
  for (const int number : limits.of(cluster.user, "lab", "normal", partitions).limits) {
    const auto most = limits[number].most[3];
    if (most >= 0 && (least < 0 || most < least)) least = most;
  }
  return least;
}

}  // namespace

TEST_CASE("a limit of the partition's QOS replaces the job's, only for jobs of that partition") {
  Cluster cluster = test::afton();
  cluster.associations.clear();
  test::qos_of(cluster, "normal").max_tres_per_user = {{"gres/gpu", 1}};
  CHECK(gpus(cluster, {"gpu-h200"}) == 1);
  test::qos_of(cluster, "h200").max_tres_per_user = {{"gres/gpu", 8}};
  CHECK(gpus(cluster, {"gpu-h200"}) == 8);
  CHECK(gpus(cluster, {"gpu-h200", "gpu-mig"}) == 1);  // in the other one the job's holds
  test::qos_of(cluster, "normal").flags = {"OverPartQOS"};
  CHECK(gpus(cluster, {"gpu-h200"}) == 1);
}
