// One possible future of the queue: jobs end, the scheduler's passes come, jobs start.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/replay/free_node_index.h"
#include "planner/replay/limit_use.h"
#include "planner/replay/model/replay_model.h"
#include "planner/replay/node_plans.h"
#include "planner/replay/node_timeline.h"
#include "planner/replay/partition_steps.h"
#include "planner/replay/running_jobs.h"
#include "planner/replay/takeable_room.h"
#include "planner/replay/trial_arrivals.h"
#include "planner/replay/trial_events.h"
#include "planner/replay/trial_run_times.h"

namespace rv::planner {

/// When a probe would have started, for each of its time limits; never: not within the horizon.
struct ProbeOutcome {
  std::vector<ReplayTime> starts;
  ReplayTime window = 0;  // longest walltime that could have started within the stated delay
};

struct ReplaySettings {
  std::uint64_t seed = 0;
  ReplayTime horizon = 7 * 86'400;
  ReplayTime window_delay = 15 * 60;
  /// After so many passes in one trial they lie further apart: by at least a part of the time since the snapshot (the
  /// inverse of `coarseness`). What is far away is not known to the second, and need not be computed to the second.
  /// With the usual interval the fine ones reach over window_delay. No figure of bench/score_waits is worse on the
  /// recorded days than with 64 and 24, with half as many plans to be made.
  int fine_passes = 30;
  int coarseness = 10;
};

/// Slurm's scheduling on values. Two kinds of pass: the main one, which comes with every end or arrival of a job and
/// stops in a partition at the first job that can't start, and the backfill pass every bf_interval, which goes on
/// behind it and plans a start for every job that can't start now: on whole nodes, by the time limits of what runs, in
/// steps of bf_resolution, up to bf_window ahead. A job starts in it only where it meets nobody's plan. Who finds no
/// room in either, and may preempt others, ends as many of them as it takes: they go back to the queue, or leave.
class QueueReplay {
 public:
  explicit QueueReplay(const ReplayModel& model, const std::vector<Probe>& probes, const ReplaySettings& settings);

  /// One trial, until each probe has started with the limit it asks for, or the horizon. The outcomes are those of the
  /// component's probes, in its order. The same trial gives the same outcome, whatever ran before.
  const std::vector<ProbeOutcome>& run(const Component& component, int trial);

 private:
  /// What one pass found out of a shape and a taker (or none), valid while `pass` is the current one.
  struct ShapeNote {
    std::uint32_t pass = 0;
    ReplayTime too_long = never;          // limits from here on can't start now
    ReplayTime no_plan = never;           // limits from here on find no start within the window
    int known_free = -1;                  // nodes with room now (takeable or free), at the pass's beginning
    EarliestStartQueue* queue = nullptr;  // made in this pass
  };
  /// An entry or probe that might start in a pass.
  struct Candidate {
    std::size_t end = 0;  // the pass has to go on to this place in active_ for it
    int shape = 0;
    ReplayTime limit = 0;
    int reservation = -1;
    Plans plans = Plans::all;
    int taker = -1;
  };
  /// What decides who is preempted first: the least rank, of these the smallest job, of these the oldest.
  struct VictimKey {
    bool ends_anyway = false;
    std::int64_t rank = 0;
    std::size_t nodes = 0;
    std::int64_t number = 0;
    int slot = -1;  // -1: nobody has to go
    bool operator<(const VictimKey& other) const;
  };

  void enter(const Component& component);
  void begin(const Component& component, int trial);
  void adopt_running();
  void wake_when_not_exempt(int slot);
  int group_of(const Row& row) const;
  bool exempt(const RunningJobs::Run& run, ReplayTime now) const;
  void make_takeable(int slot);
  void queue_up(int row);
  void go_back(int job);
  void take_arrivals(ReplayTime until);
  ReplayTime next_event();
  void apply_events(ReplayTime until);
  void end_run(int slot, ReplayTime at);

  bool ready(const Row& row, ReplayTime now) const;
  bool unbound(const ReplayJob& job) const;
  bool has_enough_nodes(int shape, int taker);
  FreeNodeIndex& index_of(int taker) { return taker < 0 ? free_nodes_ : takeable_nodes_[taker]; }
  bool collect_places(EarliestStartQueue& queue, const Shape& shape, const ReleaseSteps& steps, ReplayTime limit,
                      int reservation, ReplayTime now);
  ShapeNote& note(int shape, int taker = -1);

  void main_pass(ReplayTime now);
  void backfill_pass(ReplayTime now);
  void find_candidates(ReplayTime now);
  void drop_candidates(ReplayTime now);
  void start_or_plan(const Row& row, ReplayTime now);
  bool try_start(const Row& row, ReplayTime now, bool backfill);
  bool choose_nodes(int shape, ReplayTime limit, int reservation, ReplayTime now, bool backfill);
  bool reserve(int shape, int partition, ReplayTime limit, int reservation, ReplayTime now, bool probe);
  bool choose_to_take(const Row& row, ReplayTime now, bool backfill);
  VictimKey last_victim(int node, int demand, int taker);
  void choose_victims(int node, int demand, int taker);
  ReplayTime end_victims(ReplayTime at);
  const Leaving* left_on(std::size_t place) const {
    return left_by_victims_.empty() ? nullptr : &left_by_victims_[place];
  }
  void start(const Row& row, ReplayTime now);
  ReplayTime window_of(const Probe& probe, ReplayTime now, bool backfill, bool preempting);
  ReplayTime grace_of(const Probe& probe) const;
  void test_probe(std::size_t number, ReplayTime now, bool backfill);
  void reserve_for_probe(std::size_t number, ReplayTime now);
  ReplayTime dated_back(ReplayTime now, ReplayTime possible_from) const;
  void close_up();

  const ReplayModel& model_;
  const std::vector<Probe>& probes_;
  ReplaySettings settings_;
  NodeTimeline timeline_;
  NodePlans plans_;
  FreeNodeIndex free_nodes_;
  TakeableRoom takeable_;
  std::vector<FreeNodeIndex> takeable_nodes_;  // by taker: those that are free but for what it could take
  const Component* component_ = nullptr;
  std::vector<std::uint64_t> node_partitions_;     // by node: a bit each, by number modulo 64
  std::vector<std::pair<int, int>> rows_of_jobs_;  // job and row, in order; empty where nobody is preempted
  std::uint64_t chance_ = 0;

  std::vector<ProbeOutcome> outcomes_;
  std::vector<std::size_t> probe_next_;  // first limit that has not started
  std::size_t open_probes_ = 0;

  std::vector<int> active_;  // rows that wait, in order, from front_ on; some are over
  std::size_t front_ = 0;
  std::vector<int> tasks_left_;  // by job: not started
  std::vector<int> tasks_open_;  // by job: not over
  std::vector<int> array_running_;
  LimitUse limits_;
  TrialEvents events_;
  RunningJobs running_;
  TrialArrivals arrivals_;
  TrialRunTimes run_times_;
  PartitionSteps steps_;

  std::uint32_t pass_ = 0;
  int passes_ = 0;  // in this trial
  ReplayTime previous_pass_ = 0;
  ReplayTime last_wake_ = 0;         // when something but a job's end last let somebody start
  ReplayTime last_limited_end_ = 0;  // when a job under a shared limit last ended
  bool coarse_ = false;
  int starts_ = 0;
  std::vector<ShapeNote> notes_;  // by taker (first: none) and shape
  std::vector<std::uint32_t> partition_blocked_;
  std::vector<std::uint32_t> partition_blocked_by_probe_;
  std::vector<std::uint32_t> node_blocked_;
  std::vector<Candidate> candidates_;  // in order
  NodeSet open_;                       // nodes with room for one of them when the pass began
  bool open_changed_ = false;          // a plan or a job has come upon one of these
  std::vector<std::uint32_t> user_pass_;
  std::vector<int> user_tests_;
  std::vector<int> partition_tests_;
  std::vector<int> chosen_;                              // nodes
  std::vector<Leaving> left_by_victims_;                 // by place in chosen_; empty: nobody is preempted
  std::vector<int> victims_;                             // slots
  std::vector<std::pair<VictimKey, int>> last_victims_;  // with nodes
  std::vector<VictimKey> victim_keys_;                   // on one node
  std::vector<std::pair<ReplayTime, int>> starts_by_place_;
  std::vector<StartTime> collected_;
};

}  // namespace rv::planner
