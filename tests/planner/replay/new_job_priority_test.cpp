#include "planner/replay/model/new_job_priority.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::planner;

namespace {

QueuedJob job(const std::string& user, const char* state, std::int64_t priority, int submitted) {
  QueuedJob one;
  one.user = user;
  one.state = state;
  one.priority = priority;
  one.submitted = TimePoint(std::chrono::seconds(submitted));
  return one;
}

}  // namespace

TEST_CASE("the user's share does not place a new job before their waiting jobs") {
  Cluster cluster;
  cluster.user = "me";
  CHECK(NewJobPriority(cluster, 500).of("me") == 500);
  cluster.jobs = {job("me", "RUNNING", 100, 5), job("other", "PENDING", 50, 6)};
  CHECK(NewJobPriority(cluster, 500).of("me") == 500);  // that of a running job is as old as its start
  cluster.jobs.push_back(job("me", "PENDING", 300, 7));
  cluster.jobs.push_back(job("me", "PENDING", 200, 8));
  CHECK(NewJobPriority(cluster, 500).of("me") == 200);
  CHECK(NewJobPriority(cluster, 150).of("me") == 150);  // the waiting one has aged
  cluster.jobs.push_back(job("me", "PENDING", 0, 9));   // held
  CHECK(NewJobPriority(cluster, 500).of("me") == 200);
}
