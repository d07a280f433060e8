// What jobs that wait or come later take from others by preemption, and what becomes of those.
#include <doctest/doctest.h>

#include <algorithm>

#include "planner/replay/model/scheduler_times.h"
#include "tests/planner/queue.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;
using test::median;
using test::noon;
using test::pending;
using test::queue_cluster;
using test::running;
using test::starts_at;

namespace {

/// Nodes of 4 GPUs in three partitions: "low" makes room for "gpu" and "high", which make room for nobody.
Cluster tiers(int nodes, const char* mode) {
  Cluster cluster = queue_cluster(nodes, 4);
  for (const char* name : {"low", "high"}) test::add_partition(cluster, name).max_time = 240h;
  for (Node& node : cluster.nodes) node.partitions = {"gpu", "low", "high"};
  test::partition_of(cluster, "low").preempt_mode = mode;
  test::partition_of(cluster, "gpu").priority_tier = 2;
  test::partition_of(cluster, "gpu").preempt_mode = "OFF";
  test::partition_of(cluster, "high").priority_tier = 3;
  test::partition_of(cluster, "high").preempt_mode = "OFF";
  cluster.controller.preempt_type = "preempt/partition_prio";
  cluster.controller.preempt_mode = "REQUEUE";
  return cluster;
}

QueuedJob& in(const char* partition, QueuedJob& job) {
  job.partitions = {partition};
  return job;
}

/// Waits until then.
QueuedJob& from(std::chrono::seconds begin, QueuedJob& job) {
  job.eligible = noon + begin;
  job.reason = "BeginTime";
  return job;
}

Strategy low(int gpus, std::chrono::seconds limit, int nodes = 1) {
  Strategy strategy = test::a_strategy(nodes, gpus, limit);
  strategy.partitions = {"low"};
  return strategy;
}

}  // namespace

TEST_CASE("a job that waits ahead takes the nodes of a lower tier's, and leaves them when it is over") {
  Cluster cluster = tiers(1, "CANCEL");
  in("low", running(cluster, "1", {"n0"}, 4, 8h));
  SUBCASE("at once") {
    in("high", pending(cluster, "2", 1, 4, 1h));
    CHECK(starts_at(median(cluster, low(4, 1h)), 1h));
    CHECK(starts_at(median(cluster, test::a_strategy(1, 4, 1h)), 1h));  // no longer now: what it could take is gone
  }
  SUBCASE("when it is eligible") {
    from(30min, in("high", pending(cluster, "2", 1, 4, 1h)));
    CHECK(starts_at(median(cluster, low(4, 1h)), 1h + 30min));
    CHECK(median(cluster, test::a_strategy(1, 4, 1h)) == 0);
  }
  SUBCASE("not where preemption is off, or the tier is the same") {
    in("high", pending(cluster, "2", 1, 4, 1h));
    test::partition_of(cluster, "low").preempt_mode = "OFF";
    CHECK(starts_at(median(cluster, low(4, 1h)), 9h));
    test::partition_of(cluster, "low").preempt_mode = "CANCEL";
    cluster.controller.preempt_type.clear();
    CHECK(starts_at(median(cluster, low(4, 1h)), 9h));
    cluster.controller.preempt_type = "preempt/partition_prio";
    test::partition_of(cluster, "high").priority_tier = 1;
    CHECK(starts_at(median(cluster, low(4, 1h)), 9h));
  }
  SUBCASE("not where they are suspended") {
    in("high", pending(cluster, "2", 1, 4, 1h));
    test::partition_of(cluster, "low").preempt_mode = "GANG,SUSPEND";
    CHECK(starts_at(median(cluster, low(4, 1h)), 9h));
  }
  SUBCASE("not before their exempt time is over") {
    in("high", pending(cluster, "2", 1, 4, 1h));
    cluster.controller.preempt_exempt_time = 40min;
    CHECK(starts_at(median(cluster, low(4, 1h)), 1h + 40min));
  }
  SUBCASE("after some of the grace that they have") {
    in("high", pending(cluster, "2", 1, 4, 1h));
    test::partition_of(cluster, "low").grace_time = 20min;
    const Wait wait = test::wait_of(cluster, low(4, 1h));
    REQUIRE(wait.p10);
    REQUIRE(wait.p90);
    CHECK(*wait.p10 >= 1h);
    CHECK(*wait.p10 <= 1h + 8min);
    CHECK(*wait.p90 >= 1h + 12min);
    CHECK(*wait.p90 <= 1h + 21min);
  }
}

TEST_CASE("a preempted job returns to its position in the queue, or leaves") {
  Cluster cluster = tiers(1, "REQUEUE");
  QueuedJob& victim = in("low", running(cluster, "1", {"n0"}, 4, 8h, 4h));
  victim.priority = 2000;
  from(10min, in("high", pending(cluster, "2", 1, 4, 1h)));
  SUBCASE("ahead of a new job, from its beginning") {
    // 10 min, the other's hour, and the whole 8 h again.
    CHECK(starts_at(median(cluster, low(4, 1h)), 9h + 10min));
  }
  SUBCASE("behind a new job of more priority") {
    ForecastInputs first;
    first.priority = 3000;
    first.priority_source = "the test";
    CHECK(starts_at(median(cluster, low(4, 1h), first), 1h + 10min));
  }
  SUBCASE("not before two minutes have gone by") {
    cluster.jobs.back().time_limit = 1min;
    CHECK(starts_at(median(cluster, low(4, 10h)), 11min));
  }
  SUBCASE("it leaves where it is cancelled") {
    test::partition_of(cluster, "low").preempt_mode = "CANCEL";
    CHECK(starts_at(median(cluster, low(4, 1h)), 1h + 10min));
  }
  SUBCASE("and where jobs are not requeued by default") {
    cluster.controller.requeue_by_default = false;
    CHECK(starts_at(median(cluster, low(4, 1h)), 1h + 10min));
  }
  SUBCASE("who is over by himself within the grace does not go back") {
    cluster.jobs.front().time_limit = 4h + 11min;
    test::partition_of(cluster, "low").grace_time = 10h;
    CHECK(starts_at(median(cluster, low(4, 1h)), 1h + 11min));
  }
}

TEST_CASE("the delay of a requeue is the site's, or the life of a job's credential") {
  Cluster cluster = tiers(1, "REQUEUE");
  CHECK(scheduler_times(cluster).requeue_delay == 121);
  cluster.controller.credential_life = 40s;
  CHECK(scheduler_times(cluster).requeue_delay == 41);
  cluster.controller.scheduler_parameters["requeue_delay"] = "5";
  CHECK(scheduler_times(cluster).requeue_delay == 6);
  cluster.controller.scheduler_parameters["requeue_delay"] = "0";
  CHECK(scheduler_times(cluster).requeue_delay == 1);
}

TEST_CASE("with PreemptMode=PRIORITY no job of higher priority is preempted") {
  Cluster cluster = tiers(1, "CANCEL");
  in("low", running(cluster, "1", {"n0"}, 4, 8h)).priority = 2000;
  const auto start_with = [&](std::int64_t priority) {
    ForecastInputs first;
    first.priority = priority;
    first.priority_source = "the test";
    return median(cluster, test::a_strategy(1, 4, 1h), first);
  };
  CHECK(start_with(1000) == 0);
  SUBCASE("of the partition that preempts") {
    test::partition_of(cluster, "gpu").preempt_mode = "PRIORITY,CANCEL";
  }
  SUBCASE("of the cluster") {
    cluster.controller.preempt_mode = "PRIORITY,REQUEUE";
  }
  CHECK(starts_at(start_with(1000), 8h));
  CHECK(start_with(2000) == 0);
  CHECK(start_with(3000) == 0);
}

TEST_CASE("a waiting job of lower priority spares a running one, too") {
  Cluster cluster = tiers(1, "CANCEL");
  in("low", running(cluster, "1", {"n0"}, 4, 8h)).priority = 2000;
  in("high", pending(cluster, "2", 1, 4, 1h, 1500));
  CHECK(starts_at(median(cluster, low(4, 1h)), 1h));
  test::partition_of(cluster, "high").preempt_mode = "PRIORITY,CANCEL";
  CHECK(starts_at(median(cluster, low(4, 1h)), 9h));
}

TEST_CASE("a job whose requeue is expedited waits again at once") {
  Cluster cluster = queue_cluster(1, 4);
  running(cluster, "1", {"n0"}, 4, 1h);
  pending(cluster, "2", 1, 4, 2h, 5000).state = "EXPEDITING";
  CHECK(starts_at(median(cluster, test::a_strategy(1, 4, 1h)), 3h));
}

TEST_CASE("a job that has started meanwhile is preempted too") {
  Cluster cluster = tiers(1, "REQUEUE");
  in("low", pending(cluster, "1", 1, 4, 8h, 2000));
  from(10min, in("high", pending(cluster, "2", 1, 4, 1h)));
  CHECK(starts_at(median(cluster, low(4, 1h)), 9h + 10min));
  test::partition_of(cluster, "low").preempt_mode = "CANCEL";
  CHECK(starts_at(median(cluster, low(4, 1h)), 1h + 10min));
}

TEST_CASE("only the necessary jobs are preempted, the lowest first") {
  Cluster cluster = tiers(2, "CANCEL");
  test::add_partition(cluster, "lowest").max_time = 240h;
  for (Node& node : cluster.nodes) node.partitions.emplace_back("lowest");
  test::partition_of(cluster, "lowest").preempt_mode = "CANCEL";
  test::partition_of(cluster, "lowest").priority_tier = 0;
  SUBCASE("part of a node") {
    in("low", running(cluster, "1", {"n0"}, 2, 4h));
    in("lowest", running(cluster, "2", {"n0"}, 2, 9h));
    running(cluster, "3", {"n1"}, 4, 100h);
    in("high", pending(cluster, "4", 1, 2, 20h));
    // Job 2 has gone, for job 4; job 1 continues, and its 2 GPUs are the next.
    CHECK(starts_at(median(cluster, low(2, 1h)), 4h));
  }
  SUBCASE("the node of the lowest") {
    in("low", running(cluster, "1", {"n0"}, 4, 4h));
    in("lowest", running(cluster, "2", {"n1"}, 4, 9h));
    in("high", pending(cluster, "3", 1, 4, 20h));
    CHECK(starts_at(median(cluster, low(4, 1h)), 4h));
  }
  SUBCASE("of a victim on several nodes, what is not needed is free for others") {
    in("low", running(cluster, "1", {"n0", "n1"}, 4, 9h));
    from(10min, in("high", pending(cluster, "2", 1, 4, 20h)));
    CHECK(starts_at(median(cluster, low(4, 1h)), 10min));
  }
  SUBCASE("a node that is free, and one that is not") {
    in("low", running(cluster, "1", {"n0"}, 4, 9h));
    in("high", pending(cluster, "2", 2, 4, 2h));
    CHECK(starts_at(median(cluster, low(4, 1h)), 2h));
  }
  SUBCASE("nobody goes for a job that would not fit all the same") {
    in("low", running(cluster, "1", {"n0"}, 4, 4h));
    running(cluster, "2", {"n1"}, 4, 6h);
    in("high", pending(cluster, "3", 2, 4, 1h));
    // Job 1 runs to its end, or until job 2 has.
    CHECK(starts_at(median(cluster, low(4, 30min)), 4h));
  }
}

TEST_CASE("two that wait do not take the same place") {
  Cluster cluster = tiers(1, "CANCEL");
  test::partition_of(cluster, "low").grace_time = 5min;
  in("low", running(cluster, "1", {"n0"}, 4, 9h));
  in("high", pending(cluster, "2", 1, 4, 1h));
  in("high", pending(cluster, "3", 1, 4, 1h));
  const Wait wait = test::wait_of(cluster, low(4, 1h));
  REQUIRE(wait.p50);
  CHECK(*wait.p50 >= 2h);
  CHECK(*wait.p50 <= 2h + 7min);
}

TEST_CASE("a preempted job may preempt others later") {
  Cluster cluster = tiers(2, "CANCEL");
  test::partition_of(cluster, "gpu").preempt_mode = "REQUEUE";
  running(cluster, "1", {"n0"}, 4, 8h).priority = 3000;
  in("low", running(cluster, "2", {"n1"}, 4, 20h));
  SUBCASE("where his own place is gone") {
    from(10min, in("high", pending(cluster, "3", 1, 4, 30h))).required_nodes = {"n0"};
    CHECK(starts_at(median(cluster, low(4, 1h)), 8h + 12min + 1s));
  }
  SUBCASE("and waits where nobody is below him") {
    from(10min, in("high", pending(cluster, "3", 1, 4, 30h)));
    CHECK(starts_at(median(cluster, low(4, 1h)), 8h));
    from(20min, in("high", pending(cluster, "4", 1, 4, 1h)));
    CHECK(starts_at(median(cluster, low(4, 1h)), 9h + 20min));
  }
}

TEST_CASE("jobs that wait take by QOS too, where QOS decide") {
  Cluster cluster = queue_cluster(1, 4);
  running(cluster, "1", {"n0"}, 4, 8h).qos = "scavenger";
  pending(cluster, "2", 1, 4, 1h).qos = "urgent";
  cluster.controller.preempt_type = "preempt/qos";
  cluster.controller.preempt_mode = "CANCEL";
  cluster.qos.resize(2);
  cluster.qos[0].name = "scavenger";
  cluster.qos[1].name = "urgent";
  CHECK(starts_at(median(cluster, test::a_strategy(1, 4, 1h)), 9h));
  cluster.qos[1].preempts = {"scavenger"};
  CHECK(starts_at(median(cluster, test::a_strategy(1, 4, 1h)), 1h));
}

TEST_CASE("jobs that come later preempt and are preempted") {
  Cluster cluster = tiers(1, "CANCEL");
  in("low", running(cluster, "1", {"n0"}, 4, 20h)).time_limit = 20h;
  ForecastInputs inputs = test::last_in_line();
  // Every hour one of "high", for 20 minutes of its half hour.
  for (int hour = 1; hour <= 48; ++hour) {
    FinishedJob job;
    job.user = "other";
    job.partition = "high";
    job.state = "COMPLETED";
    job.submitted = job.eligible = noon - std::chrono::hours(hour) + 20min;
    job.start = job.submitted;
    job.end = job.start + 20min;
    job.limit = 30min;
    job.nodes = 1;
    job.cpus = job.gpus = 4;
    job.gpu_type = "v100";
    inputs.finished.push_back(job);
  }
  const Wait wait = test::wait_of(cluster, low(4, 10min), inputs);
  REQUIRE(wait.p90);
  // Once the first has come, in 20 minutes, job 1 has gone.
  CHECK(*wait.p90 >= 39min);
  CHECK(*wait.p90 <= 45min);
  test::partition_of(cluster, "low").preempt_mode = "OFF";
  CHECK(median(cluster, low(4, 10min), inputs) > 5 * 3600);
}
