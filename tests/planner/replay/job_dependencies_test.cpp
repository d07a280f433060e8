#include "planner/replay/model/job_dependencies.h"

#include <doctest/doctest.h>

namespace rv::planner {
namespace {

TEST_CASE("a job waits for all jobs of the IDs that its dependency names, but not for itself") {
  std::vector<ReplayJob> jobs(5);
  JobDependencies dependencies;
  dependencies.add_job(12, 0);
  dependencies.add_job(13, 1);
  dependencies.add_job(13, 2);
  dependencies.add_job(15, 3);
  dependencies.add_job(16, 4);
  dependencies.add_waiting(3, "afterok:12(unfulfilled),afterany:13_4:15?after:16+10");
  CHECK(dependencies.resolve(jobs) == 0);
  CHECK(jobs[3].after == std::vector<int>{0, 1, 2, 4});
  CHECK(jobs[3].eligible != never);
}

TEST_CASE("a job that waits for a held job, or for one that is not in the queue, is never eligible") {
  std::vector<ReplayJob> jobs(3);
  JobDependencies dependencies;
  dependencies.add_job(12, 0);
  dependencies.add_never_starting(0);
  dependencies.add_waiting(1, "afterok:12");
  dependencies.add_waiting(2, "afterok:99");
  CHECK(dependencies.resolve(jobs) == 1);
  CHECK(jobs[0].eligible != never);
  CHECK(jobs[1].eligible == never);
  CHECK(jobs[2].eligible == never);
}

}  // namespace
}  // namespace rv::planner
