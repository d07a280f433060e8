// Trials and parts of the cluster are shared out among threads.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/planner/queue.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;

TEST_CASE("each trial of each part is replayed, by however many threads") {
  Cluster cluster = test::queue_cluster(4, 4);
  test::add_partition(cluster, "odd").max_time = 240h;
  for (const char* name : {"n1", "n3"}) test::node_of(cluster, name).partitions = {"odd"};
  for (int i = 0; i < 4; ++i) {
    test::running(cluster, std::to_string(i), {"n" + std::to_string(i)}, 4, 2h + i * 10min, 1h);
  }
  Strategy odd = test::a_strategy(1, 4, 1h);
  odd.partitions = {"odd"};
  ForecastInputs inputs = test::last_in_line();
  for (int i = 0; i < 40; ++i) {
    FinishedJob job;
    job.user = "other";
    job.account = "lab";
    job.partition = "gpu";
    job.limit = 1h;
    job.submitted = job.eligible = job.start = test::noon - 1h;
    job.end = job.start + 1min * (21 + i);
    inputs.finished.push_back(job);
  }
  const Forecast alone = test::foresee(cluster, {test::a_strategy(1, 4, 1h), odd}, inputs);
  for (int threads = 1; threads <= 4; ++threads) {
    inputs.threads = threads;
    const Forecast seen = test::foresee(cluster, {test::a_strategy(1, 4, 1h), odd}, inputs);
    for (std::size_t i = 0; i < seen.prospects.size(); ++i) {
      const std::vector<ReplayTime>& starts = seen.prospects[i].starts;
      CHECK(starts.size() == 64);
      CHECK(std::all_of(starts.begin(), starts.end(), [](ReplayTime at) { return at > 0 && at < never; }));
      CHECK(starts == alone.prospects[i].starts);
    }
  }
}
