// What each node holds at one moment of a replay, when it will be free by the limits of its jobs, and what is planned.
#pragma once

#include <vector>

#include "planner/replay_model.h"

namespace rv::planner {

/// A span of time that a job waiting ahead has been promised.
struct Planned {
  Tick begin = 0;
  Tick end = 0;
  bool probe = false;  // promised to a probe, which is in no other probe's way
};

/// Whose plans count.
enum class Plans { none, of_queue, all };

class NodeTimeline {
 public:
  explicit NodeTimeline(const ReplayModel& model);

  /// Back to the snapshot, with no job on any of these nodes.
  void reset(const std::vector<int>& nodes);

  /// True when the demand fits into what is free on the node now.
  bool has_room(int node, int demand) const;

  /// The part of the node that a job with this demand takes.
  Room part_for(int node, int demand) const;

  /// `job`: any number that release() gives back. `limit_end`: when Slurm expects it to be over.
  void hold(int node, const Room& part, Tick limit_end, int job);
  /// As hold(), for what the snapshot counts as used already.
  void adopt(int node, const Room& part, Tick limit_end, int job);
  void release(int node, int job);

  /// When the last job ended on it (or the snapshot).
  Tick last_release(int node) const { return last_release_[node]; }
  void released_at(int node, Tick when) { last_release_[node] = when; }

  /// From when on the shape's demand fits on its place if each job stays to its limit; never where it does not fit even
  /// then.
  Tick free_at(const Shape& shape, std::size_t place, Tick now);

  /// The earliest start ≥ from of a job of this length that meets neither a plan nor a block (those of `reservation`
  /// do not count); `from` must not be before free_at().
  Tick clear_from(int node, Tick from, Tick length, int reservation, Plans plans) const;

  /// How long a job that starts now would have the node before a plan or block begins; 0 inside one.
  Tick window(int node, Tick now, int reservation, Plans plans) const;

  void plan(int node, Planned span);
  void forget_plans();

  bool has_free_gpu(int node) const;
  int free_cpus(int node) const { return free_[node].cpus; }

 private:
  struct Tenant {
    Tick limit_end = 0;
    int job = 0;
    Room part;
  };
  struct Known {
    std::uint32_t version = 0;
    Tick at = 0;
  };

  bool fits(const Room& room, const ReplayNode& node, const Demand& demand) const;

  const ReplayModel& model_;
  std::vector<Room> free_;
  std::vector<std::vector<Tenant>> tenants_;  // by node, by limit_end
  std::vector<Tick> last_release_;
  std::vector<std::uint32_t> version_;  // of a node's tenants
  std::uint32_t latest_version_ = 0;
  std::vector<Known> known_;  // free_at by shape and place
  std::vector<std::vector<Planned>> planned_;
  std::vector<int> with_plans_;
};

}  // namespace rv::planner
