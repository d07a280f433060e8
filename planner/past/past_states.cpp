#include "planner/past/past_states.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

#include "base/text.h"

namespace rv::planner {

namespace {

/// Above every job's number, so that priorities are positive.
constexpr std::int64_t first_priority = std::int64_t{1} << 31U;

int capacity(const JobLog& log, const Node& node, const std::string& type) {
  if (!log.has_gpus) return 1;
  int gpus = 0;
  for (const GpuPool& pool : node.gpus) {
    if (type.empty() || pool.type.empty() || pool.type == type) gpus += pool.total;
  }
  return gpus;
}

}  // namespace

int amount_per_node(const JobLog& log, const FinishedJob& job) {
  return log.has_gpus ? (job.gpus + job.nodes - 1) / job.nodes : 1;
}

PastStates::PastStates(const JobLog& log, const Machine& machine)
    : log_(log), machine_(machine), starts_(log.jobs.size()), held_(log.jobs.size()) {
  std::iota(starts_.begin(), starts_.end(), std::size_t{0});
  std::sort(starts_.begin(), starts_.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(log.jobs[a].start, a) < std::tie(log.jobs[b].start, b);
  });
  const auto& nodes = machine.cluster.nodes;
  free_.reserve(nodes.size());
  for (const Node& node : nodes) free_.push_back(capacity(log, node, ""));
}

void PastStates::advance(std::size_t job) {
  const TimePoint moment = log_.jobs[job].submitted;
  for (; next_submission_ < job; ++next_submission_) waiting_.push_back(next_submission_);
  for (; next_start_ < starts_.size(); ++next_start_) {
    const std::size_t started = starts_[next_start_];
    const TimePoint start = log_.jobs[started].start;
    if (std::tie(start, started) >= std::tie(moment, job)) break;
    end_until(start);
    waiting_.erase(std::lower_bound(waiting_.begin(), waiting_.end(), started));
    started_.push_back(started);
    const std::pair running(log_.jobs[started].end, started);
    running_.insert(std::lower_bound(running_.begin(), running_.end(), running, std::greater<>()), running);
    place(started);
  }
  end_until(moment);
  now_ = moment;
}

void PastStates::end_until(TimePoint moment) {
  for (; !running_.empty() && running_.back().first <= moment; running_.pop_back()) {
    const std::size_t job = running_.back().second;
    ended_.push_back(job);
    for (const std::size_t node : held_[job]) free_[node] += amount_per_node(log_, log_.jobs[job]);
    held_[job].clear();
  }
}

/// The log does not say on which nodes a job ran: the fullest nodes with enough free GPUs.
void PastStates::place(std::size_t number) {
  const FinishedJob& job = log_.jobs[number];
  const int amount = amount_per_node(log_, job);
  std::vector<std::size_t> fitting;
  for (std::size_t i = 0; i < free_.size(); ++i) {
    const Node& node = machine_.cluster.nodes[i];
    const bool fits = free_[i] >= amount && capacity(log_, node, job.gpu_type) >= amount;
    if (fits && contains(node.partitions, job.partition)) fitting.push_back(i);
  }
  if (fitting.size() < static_cast<std::size_t>(job.nodes)) {
    ++unplaced_;
    return;
  }
  const auto fuller = [&](std::size_t a, std::size_t b) { return std::tie(free_[a], a) < std::tie(free_[b], b); };
  std::sort(fitting.begin(), fitting.end(), fuller);
  fitting.resize(static_cast<std::size_t>(job.nodes));
  for (const std::size_t node : fitting) free_[node] -= amount;
  held_[number] = std::move(fitting);
}

QueuedJob PastStates::queued(std::size_t number) const {
  const FinishedJob& job = log_.jobs[number];
  QueuedJob queued;
  queued.id = std::to_string(number + 1);
  queued.user = job.user;
  queued.account = job.account;
  queued.partitions = {job.partition};
  queued.state = "PENDING";
  queued.reason = "Priority";
  queued.priority = first_priority - static_cast<std::int64_t>(number);
  queued.nodes = job.nodes;
  const int amount = amount_per_node(log_, job);
  queued.cpus = job.nodes * amount;
  queued.requested = {{"cpu", queued.cpus}, {"node", job.nodes}};
  if (log_.has_gpus) {
    queued.requested["gres/gpu"] = queued.cpus;
    const std::string typed = job.gpu_type.empty() ? "gres:gpu:" : "gres:gpu:" + job.gpu_type + ":";
    queued.gres_per_node = typed + std::to_string(amount);
  }
  if (job.limit.count() > 0) queued.time_limit = job.limit;
  queued.submitted = job.submitted;
  queued.eligible = job.submitted;
  queued.name_key = job.name_key;
  return queued;
}

Cluster PastStates::cluster() const {
  Cluster cluster = machine_.cluster;
  cluster.taken_at = now_;
  // By number: running_ is in the order of the real ends, which a prediction may not use.
  std::vector<std::size_t> numbers;
  numbers.reserve(running_.size());
  for (const auto& [end, number] : running_) numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  cluster.jobs.reserve(numbers.size() + waiting_.size());
  for (const std::size_t number : numbers) {
    if (held_[number].empty()) continue;
    QueuedJob job = queued(number);
    job.state = "RUNNING";
    job.reason = "None";
    job.start = log_.jobs[number].start;
    const int amount = amount_per_node(log_, log_.jobs[number]);
    for (const std::size_t place : held_[number]) {
      Node& node = cluster.nodes[place];
      job.node_names.push_back(node.name);
      node.state.base = "MIXED";
      node.cpus_used += amount;
      int left = log_.has_gpus ? amount : 0;
      for (GpuPool& pool : node.gpus) {
        const int taken = std::min(left, pool.total - pool.used);
        pool.used += taken;
        left -= taken;
      }
    }
    cluster.jobs.push_back(std::move(job));
  }
  for (const std::size_t number : waiting_) cluster.jobs.push_back(queued(number));
  return cluster;
}

std::vector<FinishedJob> PastStates::finished(std::size_t most) const {
  std::vector<FinishedJob> jobs;
  const std::size_t first = ended_.size() - std::min(most, ended_.size());
  jobs.reserve(ended_.size() - first);
  for (std::size_t i = first; i < ended_.size(); ++i) jobs.push_back(log_.jobs[ended_[i]]);
  return jobs;
}

}  // namespace rv::planner
