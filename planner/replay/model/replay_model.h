// The snapshot in the form that the replay uses: names are numbers, and equal requests share a shape. Built once per
// plan.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "planner/cluster/cluster.h"
#include "planner/replay/model/run_times.h"
#include "planner/sharing/tenancy.h"

namespace rv::planner {

/// Seconds since the snapshot; before it, negative.
using ReplayTime = std::int32_t;
inline constexpr ReplayTime never = std::numeric_limits<ReplayTime>::max() / 4;

/// Number of GPU pools of different gres types that are distinguished on one node.
inline constexpr int most_pools = 6;
/// Size of the array for the pools: padded from 6 to 8, so that one SIMD instruction adds or compares all of them.
inline constexpr int pool_slots = 8;

/// Resources on one node: all of it, what is free, or a job's part.
struct NodeResources {
  int cpus = 0;
  std::int64_t memory = 0;  // MiB
  std::array<std::int16_t, pool_slots> gpus{};

  bool operator==(const NodeResources&) const = default;
};

inline constexpr int no_gpu = -2;
inline constexpr int any_gpu = -1;

inline void add(NodeResources& to, const NodeResources& part) {
  to.cpus += part.cpus;
  to.memory += part.memory;
  for (std::size_t i = 0; i < to.gpus.size(); ++i) to.gpus[i] = static_cast<std::int16_t>(to.gpus[i] + part.gpus[i]);
}

inline void subtract(NodeResources& from, const NodeResources& part) {
  from.cpus -= part.cpus;
  from.memory -= part.memory;
  for (std::size_t i = 0; i < from.gpus.size(); ++i) {
    from.gpus[i] = static_cast<std::int16_t>(from.gpus[i] - part.gpus[i]);
  }
}

/// Which of the nodes that are free Slurm gives to a job (select/cons_tres).
enum class NodeChoice {
  first,         // the number of its tasks is known, so all fitting nodes are equal to Slurm: the first in order
  tightest,      // it can use all CPUs of a node: the one with the fewest free CPUs
  least_loaded,  // a partition with LLN=YES: the one with the largest share of free CPUs
  // LLN=YES from 26.05 on, where the number of tasks is known and only the CPUs that they use count: the one with the
  // fewest CPUs in total.
  smallest
};

/// What a job needs on each of its nodes.
struct Demand {
  int cpus = 0;
  std::int64_t memory = 0;  // MiB; 0: none is requested
  int gpu_type = no_gpu;    // number of the gres type
  int gpus = 0;
  bool whole_node = false;
  std::int64_t least_free_memory = 0;  // MiB that must be free at its start, although it holds less: memory_for_gpus()
  int tenancy = -1;                    // number of ReplayModel::tenancies; -1: only free resources decide
  NodeChoice choice = NodeChoice::first;
  auto operator<=>(const Demand&) const = default;
};

struct ReplayNode {
  NodeResources total;
  NodeResources free;
  std::array<int, most_pools> types{};  // gres type of each pool; no_gpu: no pool
  bool open = false;                    // takes new jobs
  std::int64_t weight = 1;              // Slurm fills nodes of a low weight first
};

/// A request for `nodes` nodes out of `places`, with one demand on each. Equal requests share a shape.
struct Shape {
  int demand = 0;  // number
  int nodes = 1;
  std::vector<int> places;  // nodes that could hold it when empty, ascending
  std::size_t first = 0;    // index of its first place, if the places of all shapes are in one array
  /// Nodes that the job must have; empty: none.
  std::vector<int> required = {};
};

/// A time in which a node accepts only jobs of one reservation.
struct ReservedTime {
  ReplayTime begin = 0;
  ReplayTime end = 0;
  int reservation = -1;
};

/// The use of running jobs that count together: those of a QOS, of a user in a QOS, of an account.
struct LimitCounter {
  /// Indices of the resources in `used`; behind them, GPUs of each type.
  enum ResourceIndex { cpu, memory, node, gpu, billing, first_type };

  std::vector<std::int64_t> used;  // in the snapshot
  int jobs = 0;
  /// By node. Slurm counts a node once for all of the jobs on it. Empty: no limit on nodes.
  std::vector<int> jobs_on_node;

  /// A job with these amounts starts (1) or ends (-1) on these nodes.
  void change(const std::vector<std::int64_t>& amounts, std::span<const int> nodes, int sign) {
    jobs += sign;
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (i != node) used[i] += sign * amounts[i];
    }
    if (jobs_on_node.empty()) return;
    for (const int one : nodes) {
      int& there = jobs_on_node[one];
      if (sign > 0 ? there == 0 : there == 1) used[node] += sign;
      there += sign;
    }
  }
};

/// A limit on the use that a counter counts; negative: no limit on this resource.
struct SharedLimit {
  int counter = 0;
  std::vector<std::int64_t> most;
  int most_jobs = -1;
};

/// A job, or the elements of an array that are still one record.
struct ReplayJob {
  std::uint64_t key = 0;    // seeds its random draws; does not depend on its position in the list
  std::int64_t number = 0;  // job ID; decides between equal priorities
  std::int64_t priority = 0;
  ReplayTime limit = 0;           // never: unlimited
  ReplayTime known_run_time = 0;  // of a job whose run time is known, such as an arrival; 0: it is drawn
  ReplayTime eligible = 0;        // it does not start before
  ReplayTime elapsed = 0;         // of a running job, since its start
  int tasks = 1;
  int user = -1;
  int reservation = -1;
  int array = -1;                     // number of the array; -1: none, or without throttle and running elements
  std::vector<int> after;             // jobs that must end first
  std::vector<int> counters;          // numbers of LimitCounter that it adds to
  std::vector<int> limits;            // numbers of SharedLimit that bound it
  std::vector<std::int64_t> amounts;  // of one task, in the order of LimitCounter::used; empty without counters
  int run_times = -1;                 // number of its group of run times
  int qos = -1;                       // number in the snapshot, if preemption goes by QOS
  bool reserves = true;               // backfill plans a start for it (false: QOS with NoReserve)
};

/// A pending job in one of its partitions.
struct Entry {
  int job = 0;
  int shape = 0;
  int partition = 0;
  int tier = 1;
  int preemptor = -1;  // number of ReplayModel::preemptors; -1: it may preempt no job
};

/// A job's part on a node.
struct JobPart {
  int node = 0;
  NodeResources part;
};

struct RunningJob {
  int job = 0;
  int group = -1;    // of ReplayModel::preemption_groups
  int tenancy = -1;  // as in Demand
  std::vector<JobPart> parts;
};

/// Jobs that preemption treats alike: those of a partition, or of a QOS, of one priority class.
struct PreemptionGroup {
  bool is_preemptible = false;  // its jobs may be preempted at all (PreemptMode)
  bool is_requeued = false;     // its jobs return to the queue when preempted, or else they are cancelled
  ReplayTime grace = 0;         // from the preemption to the end of a job (GraceTime)
  ReplayTime exempt = 0;        // how long a job runs before it can be preempted (PreemptExemptTime)
  std::int64_t rank = 0;        // PriorityTier or the QOS's priority: the lowest are preempted first
  bool has_preemptor = false;   // some jobs may preempt those of this group
};

/// Jobs that may preempt the same groups.
struct Preemptor {
  std::vector<bool> may_preempt;  // by preemption group
  ReplayTime grace = 0;           // the longest of these groups
};

struct ArrayLimit {
  int most = 0;     // elements that may run at once; 0: no throttle
  int running = 0;  // in the snapshot
};

/// Arriving jobs get job numbers from here up. So among jobs of equal priority they come after all jobs of the
/// snapshot, and after a hypothetical job.
inline constexpr std::int64_t first_coming_number = std::int64_t{1} << 61U;

/// A job of the past that is submitted again in a replay, `after` seconds from the beginning of its period.
struct Arrival {
  ReplayTime after = 0;
  int entry = 0;
};

struct SchedulerTimes {
  ReplayTime backfill_interval = 30;
  ReplayTime backfill_window = 86'400;
  ReplayTime resolution = 60;
  int backfill_depth = 500;         // bf_max_job_test
  int per_user = 0;                 // bf_max_job_user; 0: no bound
  int per_partition = 0;            // bf_max_job_part
  int starts_a_pass = 0;            // bf_max_job_start
  int array_reservations = 20;      // bf_max_job_array_resv
  std::int64_t least_priority = 0;  // bf_min_prio_reserve
  int main_depth = 100;             // default_queue_depth
  ReplayTime main_delay = 2;        // from a job's end to the pass that may start the next
  ReplayTime submit_delay = 0;      // from a submission to the first try
  /// From a job's end by preemption to its being eligible again: SchedulerParameters=requeue_delay (25.11) or the life
  /// of its credential, and a second.
  ReplayTime requeue_delay = 121;
  bool backfill = true;
  bool plans_behind_owners = false;  // backfill waits for another user's exclusive jobs, rather than avoid their nodes
  std::int64_t phase_of_resolution = 0;  // the snapshot's time modulo the resolution
  std::int64_t phase_of_steps = 0;       // and modulo ReleaseSteps::first_window
};

struct ReplayModel {
  SchedulerTimes times;
  std::vector<ReplayNode> nodes;
  std::vector<int> positions;  // by node: its position in the snapshot, in which neighbours are adjacent
  std::vector<std::vector<ReservedTime>> reserved_times;  // by node, by begin
  std::vector<Demand> demands;
  std::vector<Tenancy> tenancies;
  std::vector<Shape> shapes;
  std::size_t places = 0;  // of all shapes together
  std::vector<std::string> partitions;
  std::vector<std::vector<int>> partition_nodes;
  std::vector<PreemptionGroup> preemption_groups;  // by partition or by QOS, and of each by priority class
  bool groups_are_qos = false;
  /// Lowest priorities of the classes but the first, ascending. Empty if priorities do not protect jobs from
  /// preemption.
  std::vector<std::int64_t> priority_classes;
  std::vector<Preemptor> preemptors;
  std::vector<ReplayJob> jobs;
  /// Three parts: entries of pending jobs, in the order in which Slurm considers them; entries of arriving jobs; the
  /// last `returning` are entries of running jobs, used if they are requeued.
  std::vector<Entry> entries;
  std::size_t returning = 0;
  std::vector<std::vector<Arrival>> arrivals;  // by period of the past, by time
  ReplayTime arrival_period = 0;
  /// [k % size]: the past periods from which the arrivals of the k-th period after the snapshot may be drawn.
  std::vector<std::vector<int>> periods_by_time;
  std::vector<RunningJob> running;
  std::vector<LimitCounter> counters;
  std::vector<SharedLimit> limits;
  std::vector<ArrayLimit> arrays;
  std::vector<RunTimes::Group> run_times;
  int users = 0;
  /// What is not modelled, with the number of jobs: "3 heterogeneous jobs".
  std::vector<std::string> left_out;
  int nodes_of_unseen = 0;  // nodes held, until an unknown time, by jobs that the queue does not show
  int queued = 0;           // jobs in the model, running ones included
};

/// The number of the preemption group of a job of this partition (or QOS); -1 for -1.
inline int preemption_group(const ReplayModel& model, int partition_or_qos, std::int64_t priority) {
  if (partition_or_qos < 0) return -1;
  const auto& classes = model.priority_classes;
  const auto higher = std::upper_bound(classes.begin(), classes.end(), priority);
  return partition_or_qos * static_cast<int>(classes.size() + 1) + static_cast<int>(higher - classes.begin());
}

/// The job of a strategy, as if it were submitted now. The replay finds when it would start; it never holds nodes.
struct HypotheticalJob {
  int shape = 0;
  int partition = 0;
  int tier = 1;
  int preemptor = -1;  // as in Entry
  std::int64_t priority = 0;
  std::vector<ReplayTime> limits;  // ascending time limits to try
  std::size_t asked = 0;           // index of the requested limit: its plan delays the jobs behind it
  std::vector<int> shared_limits;
  std::vector<std::int64_t> amounts;
};

/// An entry of a component's queue, with a copy of the job's values that a pass reads.
struct QueueEntry {
  std::int64_t priority = 0;
  int job = 0;
  int shape = 0;
  int partition = 0;
  int preemptor = -1;
  int user = -1;
  ReplayTime limit = 0;
  ReplayTime eligible = 0;
  int reservation = -1;
  bool bound = false;  // by limits, dependencies or an array's throttle
};

/// Nodes that share no jobs and no limits with other nodes. Each component is replayed separately.
struct Component {
  std::vector<int> nodes;  // ascending
  std::vector<int> partitions;
  /// In the order of the queue. Arrivals, and running jobs that may be requeued, have the positions that they will get.
  std::vector<QueueEntry> entries;
  std::vector<int> waiting;  // entries of jobs in the queue, in order
  std::vector<int> running;
  std::vector<int> hypotheticals;         // in the order in which Slurm would consider them
  std::vector<int> hypothetical_entries;  // by hypothetical job: the first entry behind it
  std::vector<std::vector<Arrival>>
      arrivals;  // by period; Arrival::entry is an index of `entries`; empty if no job arrives
  int partitions_with_entries = 0;
  int backfill_depth = 0;
};

/// Whether a job with the first tier, priority and number comes before one with the other values in the queue.
inline bool before(int tier, std::int64_t priority, std::int64_t number, int other_tier, std::int64_t other_priority,
                   std::int64_t other_number) {
  if (tier != other_tier) return tier > other_tier;
  if (priority != other_priority) return priority > other_priority;
  return number < other_number;
}

}  // namespace rv::planner
