// Planning with 64 replays of the queue, from a small cluster to a very large one: time, memory, growth. The last
// column is how many replays rv makes there by default. In the last row waiting jobs preempt others.
//
// usage: plan_scale [THREADS [JOBS [PARTS]]]     (default 2, all sizes; JOBS, PARTS: the sizes with so many alone)

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/seeded_random.h"
#include "planner/make_plan.h"
#include "planner/replay/affordable_trials.h"

namespace {

using namespace rv;
using namespace rv::planner;
using std::chrono::seconds;

struct Kind {
  const char* type;
  int gpus;
  int cpus;
};

constexpr Kind kinds[] = {{"a6000", 8, 48}, {"a40", 8, 96},  {"a100", 8, 128},
                          {"v100", 4, 36},  {"h200", 8, 96}, {"rtx3090", 4, 32}};

constexpr TimePoint now{seconds(1'760'000'000)};

class Chance {
 public:
  std::uint64_t below(std::uint64_t bound) { return mixed(++count_) % bound; }

 private:
  std::uint64_t count_ = 0;
};

/// Adds a partition of all nodes, which every fifth pending job may run in too: all is one part then.
void join_parts(Cluster& cluster) {
  Partition all;
  all.name = "all";
  all.up = true;
  all.max_time = std::chrono::hours(72);
  cluster.partitions.push_back(all);
  for (Node& node : cluster.nodes) node.partitions.push_back(all.name);
  int number = 0;
  for (QueuedJob& job : cluster.jobs) {
    if (job.state == "PENDING" && ++number % 5 == 0) job.partitions.push_back(all.name);
  }
}

/// Every third running job is of a partition of all nodes whose jobs make room for all others, and so is every fifth
/// that waits.
void add_spare(Cluster& cluster) {
  cluster.controller.preempt_type = "preempt/partition_prio";
  cluster.controller.preempt_mode = "REQUEUE";
  for (Partition& partition : cluster.partitions) {
    partition.priority_tier = 2;
    partition.preempt_mode = "OFF";
  }
  Partition spare;
  spare.name = "spare";
  spare.up = true;
  spare.max_time = std::chrono::hours(72);
  spare.preempt_mode = "REQUEUE";
  spare.grace_time = seconds(60);
  cluster.partitions.push_back(spare);
  for (Node& node : cluster.nodes) node.partitions.push_back(spare.name);
  int running = 0;
  int waiting = 0;
  for (QueuedJob& job : cluster.jobs) {
    const bool waits = job.state == "PENDING";
    if (waits ? ++waiting % 5 == 0 : ++running % 3 == 0) job.partitions = {spare.name};
  }
}

/// Makes clusters whose sizes, limits and users are as on a busy one; the same ones every time.
class BusyCluster {
 public:
  BusyCluster() {
    cluster_.taken_at = now;
    cluster_.user = "u3";
    for (const Kind& kind : kinds) {
      Partition partition;
      partition.name = std::string("gpu-") + kind.type;
      partition.up = true;
      partition.max_time = std::chrono::hours(72);
      cluster_.partitions.push_back(partition);
    }
  }

  /// Two jobs have all of each node's GPUs.
  void add_nodes(int nodes) {
    for (int n = 0; n < nodes; ++n) {
      const auto kind = static_cast<int>(n % std::size(kinds));
      Node node;
      node.name = "n" + std::to_string(n);
      node.state.base = "MIXED";
      node.gpus = {{kinds[kind].type, kinds[kind].gpus, kinds[kind].gpus}};
      node.cpus = kinds[kind].cpus;
      node.memory = {512 * 1024};
      node.partitions = {cluster_.partitions[kind].name};
      for (int half = 0; half < 2; ++half) add_running(kind, node);
      cluster_.nodes.push_back(std::move(node));
    }
  }

  /// Until there are so many jobs.
  void add_waiting(int jobs) {
    while (static_cast<int>(cluster_.jobs.size()) < jobs) {
      const auto kind = static_cast<int>(chance_.below(std::size(kinds)));
      QueuedJob job = new_job(kind);
      job.state = "PENDING";
      job.reason = "Priority";
      const int sizes[] = {1, 1, 1, 2, 2, 4, kinds[kind].gpus};
      const int gpus = sizes[chance_.below(std::size(sizes))];
      job.nodes = gpus == kinds[kind].gpus && chance_.below(3) == 0 ? 2 : 1;
      job.requested = {
          {"cpu", job.nodes * gpus * 4}, {"mem", job.nodes * gpus * 32 * 1024}, {"gres/gpu", job.nodes * gpus}};
      job.cpus = job.nodes * gpus * 4;
      job.gres_per_node = "gres:gpu:" + std::string(kinds[kind].type) + ":" + std::to_string(gpus);
      cluster_.jobs.push_back(std::move(job));
    }
  }

  /// What accounting has of earlier jobs.
  std::vector<FinishedJob> record(int jobs) {
    std::vector<FinishedJob> finished;
    for (int i = 0; i < jobs; ++i) {
      const auto kind = static_cast<int>(chance_.below(std::size(kinds)));
      FinishedJob job;
      job.user = "u" + std::to_string(chance_.below(60));
      job.account = "lab" + std::to_string(chance_.below(12));
      job.partition = cluster_.partitions[kind].name;
      job.limit = std::chrono::hours(1 + chance_.below(24));
      job.submitted = job.eligible = now - seconds(chance_.below(5 * 86'400));
      job.start = job.submitted + seconds(chance_.below(20'000));
      job.end = job.start + job.limit * static_cast<int>(chance_.below(100) + 1) / 100;
      job.gpus = 1 + static_cast<int>(chance_.below(4));
      job.gpu_type = kinds[kind].type;
      job.cpus = job.gpus * 4;
      job.memory = {job.gpus * 32 * 1024};
      if (job.end < now) finished.push_back(std::move(job));
    }
    return finished;
  }

  Cluster take() { return std::move(cluster_); }

 private:
  QueuedJob new_job(int kind) {
    QueuedJob job;
    job.id = std::to_string(++id_);
    job.user = "u" + std::to_string(chance_.below(60));
    job.account = "lab" + std::to_string(chance_.below(12));
    job.partitions = {cluster_.partitions[kind].name};
    job.priority = 1000 + static_cast<std::int64_t>(chance_.below(5000));
    job.time_limit = std::chrono::hours(1 + chance_.below(24));
    job.submitted = now - seconds(chance_.below(86'400));
    return job;
  }

  void add_running(int kind, Node& node) {
    QueuedJob job = new_job(kind);
    job.state = "RUNNING";
    const int gpus = kinds[kind].gpus / 2;
    job.requested = {{"cpu", gpus * 4}, {"mem", gpus * 32 * 1024}, {"gres/gpu", gpus}};
    job.cpus = gpus * 4;
    job.start = now - seconds(chance_.below(static_cast<std::uint64_t>(job.time_limit->count())));
    job.node_names = {node.name};
    node.cpus_used += gpus * 4;
    node.memory_used.count += gpus * 32 * 1024;
    cluster_.jobs.push_back(std::move(job));
  }

  Chance chance_;
  Cluster cluster_;
  int id_ = 1;
};

/// Every GPU is busy, the rest of the jobs waits.
Cluster busy_cluster(int nodes, int jobs, std::vector<FinishedJob>& finished) {
  BusyCluster busy;
  busy.add_nodes(nodes);
  busy.add_waiting(jobs);
  finished = busy.record(std::min(jobs * 2, 20'000));
  return busy.take();
}

double cpu_ms() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) * 1e3 + static_cast<double>(usage.ru_utime.tv_usec) / 1e3;
}

double megabytes() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  struct Size {
    int nodes;
    int jobs;
    enum Parts { six, joined, preempting } parts;
    double limit_ms;
  };
  const Size sizes[] = {{50, 200, Size::six, 10},         {200, 2'000, Size::six, 0},
                        {2'000, 20'000, Size::six, 500},  {5'000, 100'000, Size::six, 0},
                        {2'000, 20'000, Size::joined, 0}, {2'000, 20'000, Size::preempting, 0}};
  const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
  const int only = argc > 2 ? std::atoi(argv[2]) : 0;
  const int only_parts = argc > 3 ? std::atoi(argv[3]) : 0;
  std::printf("%6s %8s %6s %6s %12s %12s %10s %18s %9s %9s\n", "nodes", "jobs", "parts", "strat", "64 replays",
              "CPU, least", "limit", "us a job and replay", "memory", "default");
  for (const Size& size : sizes) {
    const int parts = size.parts == Size::six ? 6 : 1;
    if ((only > 0 && size.jobs != only) || (only_parts > 0 && parts != only_parts)) continue;
    ForecastInputs inputs;
    inputs.threads = threads;
    Cluster cluster = busy_cluster(size.nodes, size.jobs, inputs.finished);
    if (size.parts == Size::joined) join_parts(cluster);
    if (size.parts == Size::preempting) add_spare(cluster);
    Request request;
    request.gpus = 4;
    request.time = std::chrono::hours(4);
    std::vector<double> times;
    double cpu = 1e9;
    Plan plan;
    for (int i = 0; i < (size.jobs > 5'000 ? 3 : 9); ++i) {
      const auto begun = std::chrono::steady_clock::now();
      const double cpu_begun = cpu_ms();
      plan = make_plan(cluster, {}, request, inputs);
      times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count());
      cpu = std::min(cpu, cpu_ms() - cpu_begun);
    }
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size()) / 2, times.end());
    const double median = times[times.size() / 2];
    char limit[32] = "-";
    if (size.limit_ms > 0) std::snprintf(limit, sizeof limit, "%.0f ms", size.limit_ms);
    std::printf("%6d %8d %6d %6zu %9.1f ms %9.1f ms %10s %18.3f %6.0f MB %9d\n", size.nodes, size.jobs, parts,
                plan.strategies.size(), median, cpu, limit, cpu * 1000 / size.jobs / 64, megabytes(),
                affordable_trials(cluster));
    for (const Strategy& one : plan.strategies) {
      if (std::getenv("RV_BENCH_WAITS") == nullptr) break;
      std::printf("    %s %dx%d  p10 %lld p50 %lld p90 %lld  %s\n", one.gpu.name.c_str(), one.nodes, one.gpus_per_node,
                  one.wait.p10 ? static_cast<long long>(one.wait.p10->count()) : -1,
                  one.wait.p50 ? static_cast<long long>(one.wait.p50->count()) : -1,
                  one.wait.p90 ? static_cast<long long>(one.wait.p90->count()) : -1, one.wait.basis.c_str());
    }
  }
  return 0;
}
