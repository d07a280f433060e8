// Reading and planning on recordings: a cluster with 2,000 nodes, and a poll repeated to 20,000 rows. Time and memory.
//
// usage: read_and_plan            (needs gzip; the recordings are in tests/data/slurm)

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "base/os/process.h"
#include "planner/make_plan.h"
#include "slurm/job_history.h"
#include "slurm/parse/parse_cluster.h"
#include "slurm/parse/parse_jobs.h"

namespace {

std::string unpacked(const std::string& name) {
  auto result = rv::os::run({.argv = {"gzip", "-dc", std::string(RV_TEST_DATA) + "/slurm/22.05.8-large/" + name},
                             .input = "",
                             .deadline = std::chrono::seconds(60),
                             .environment = {"PATH=/usr/bin:/bin"},
                             .folder = ""});
  if (!result.ok()) {
    std::fprintf(stderr, "can't unpack %s: %s\n", name.c_str(), result.err.c_str());
    std::exit(1);
  }
  return std::move(result.out);
}

std::string poll_of_many() {
  std::ifstream file(std::string(RV_TEST_DATA) + "/slurm/22.05.8/squeue.facts.epoch.out");
  std::stringstream once;
  once << file.rdbuf();
  std::string many;
  while (std::count(many.begin(), many.end(), '\n') < 20'000 && !once.str().empty()) many += once.str();
  return many;
}

// Median milliseconds of 15 runs.
double median_ms(const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i < 15; ++i) {
    const auto begun = std::chrono::steady_clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count());
  }
  std::nth_element(times.begin(), times.begin() + 7, times.end());
  return times[7];
}

// As a busy site's accounting tells of a day or two.
rv::slurm::JobHistory many_finished_jobs() {
  rv::slurm::JobHistory history;
  for (int i = 0; i < 20'000; ++i) {
    rv::planner::FinishedJob job;
    job.user = "user" + std::to_string(i % 300);
    job.account = "an-account-with-a-long-name-" + std::to_string(i % 40);
    job.partition = "gpu-partition-" + std::to_string(i % 9);
    job.qos = "normal";
    job.state = i % 5 == 0 ? "TIMEOUT" : "COMPLETED";
    job.gpu_type = "a100";
    job.start = rv::planner::TimePoint(std::chrono::seconds(1'795'000'000 + i));
    job.end = job.start + std::chrono::hours(1);
    history.jobs.push_back(job);
  }
  return history;
}

}  // namespace

int main() {
  const auto node_text = unpacked("node_o_d.out.gz");
  const auto poll_text = poll_of_many();
  std::string partition_text = unpacked("part_o.out.gz");

  rv::planner::Cluster cluster;
  cluster.partitions = rv::slurm::parse_partitions(partition_text);
  std::vector<rv::slurm::QueueRow> rows;
  const double nodes_ms = median_ms([&] { cluster.nodes = rv::slurm::parse_nodes(node_text); });
  const double poll_ms = median_ms([&] { rows = rv::slurm::parse_poll(poll_text); });
  for (const auto& row : rows) {
    rv::planner::QueuedJob job;
    job.id = row.raw_id;
    job.state = row.state;
    cluster.jobs.push_back(job);
  }
  rv::planner::Request request;
  request.gpus = 4;
  request.time = std::chrono::minutes(30);
  rv::planner::Plan plan;
  const double plan_ms = median_ms([&] { plan = rv::planner::make_plan(cluster, {}, request); });
  const auto bytes = rv::slurm::to_bytes(many_finished_jobs());
  std::size_t learned = 0;
  const double history_ms = median_ms([&] { learned = rv::slurm::from_bytes(bytes).value().jobs.size(); });
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);

  std::printf("%-34s %10s %12s\n", "what", "items", "median");
  std::printf("%-34s %10zu %9.1f ms\n", "parse scontrol show node", cluster.nodes.size(), nodes_ms);
  std::printf("%-34s %10zu %9.1f ms\n", "parse a poll's squeue", rows.size(), poll_ms);
  std::printf("%-34s %10zu %9.1f ms\n", "plan 4 GPUs, strategies found", plan.strategies.size(), plan_ms);
  std::printf("%-34s %10zu %9.1f ms\n", "read the finished jobs", learned, history_ms);
  std::printf("%-34s %10s %9.0f MB\n", "largest memory, texts included", "",
              static_cast<double>(usage.ru_maxrss) / 1024);
  return 0;
}
