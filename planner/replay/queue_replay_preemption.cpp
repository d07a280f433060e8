// Jobs of the queue that find no room and take it from others, as Slurm's preempt plugins let them.
#include <algorithm>
#include <tuple>

#include "base/seeded_random.h"
#include "planner/replay/queue_replay.h"

namespace rv::planner {

namespace {

/// A purpose of chance within a trial, apart from the jobs' own keys.
constexpr std::uint64_t for_victims = 0x76696374;

}  // namespace

bool QueueReplay::VictimKey::operator<(const VictimKey& other) const {
  // Nobody comes before everybody, and who ends anyway before who would not.
  return std::tuple(slot >= 0, !ends_anyway, rank, nodes, number, slot) <
         std::tuple(other.slot >= 0, !other.ends_anyway, other.rank, other.nodes, other.number, other.slot);
}

/// Of ReplayModel::room_groups; -1: nobody would ever take from it.
int QueueReplay::group_of(const Row& row) const {
  const int group = model_.groups_are_qos ? model_.jobs[row.job].qos : row.partition;
  return group >= 0 && model_.room_groups[group].taken ? group : -1;
}

bool QueueReplay::exempt(const RunningJobs::Run& run, ReplayTime now) const {
  return now - run.began < model_.room_groups[run.group].exempt;
}

/// From then on it may make room for somebody.
void QueueReplay::wake_when_not_exempt(int slot) {
  const RunningJobs::Run& run = running_.at(slot);
  events_.add_not_exempt(run.began + model_.room_groups[run.group].exempt, slot);
}

void QueueReplay::make_takeable(int slot) {
  RunningJobs::Run& run = running_.at(slot);
  if (run.takeable) return;
  run.takeable = true;
  for (const int node : run.nodes) {
    takeable_.add(node, timeline_.part_of(node, slot), run.group);
    timeline_.touch(node);
  }
}

/// Who has to go last so that the demand fits on the node: Slurm takes the jobs away one by one until it does.
QueueReplay::VictimKey QueueReplay::last_victim(int node, int demand, int taker) {
  if (timeline_.fits_now(node, demand)) return {};
  victim_keys_.clear();
  timeline_.each_tenant(node, [&](int slot, const NodeResources& /*part*/) {
    const RunningJobs::Run& run = running_.at(slot);
    if (!run.takeable || !model_.takers[taker].from[run.group]) return;
    const bool goes = run.ending || std::find(victims_.begin(), victims_.end(), slot) != victims_.end();
    victim_keys_.push_back(
        {goes, model_.room_groups[run.group].rank, run.nodes.size(), model_.jobs[run.job].number, slot});
  });
  std::sort(victim_keys_.begin(), victim_keys_.end());
  Leaving gone;
  for (const VictimKey& key : victim_keys_) {
    add(gone.part, timeline_.part_of(node, key.slot));
    ++gone.jobs;
    if (timeline_.fits_without(node, demand, gone)) return key;
  }
  return victim_keys_.empty() ? VictimKey() : victim_keys_.back();
}

/// Adds the node to chosen_ and those who have to go from it to victims_.
void QueueReplay::choose_victims(int node, int demand, int taker) {
  const VictimKey last = last_victim(node, demand, taker);
  Leaving gone;
  for (std::size_t i = 0; last.slot >= 0 && i < victim_keys_.size() && !(last < victim_keys_[i]); ++i) {
    const int slot = victim_keys_[i].slot;
    add(gone.part, timeline_.part_of(node, slot));
    ++gone.jobs;
    if (std::find(victims_.begin(), victims_.end(), slot) == victims_.end()) victims_.push_back(slot);
  }
  chosen_.push_back(node);
  left_by_victims_.push_back(gone);
}

/// As choose_nodes(), among nodes that are free or can be taken. Of these it chooses those on which the last job that
/// has to go comes earliest in Slurm's order of victims.
bool QueueReplay::choose_to_take(const Row& row, ReplayTime now, bool backfill) {
  ShapeNote& one = note(row.shape, row.taker);
  if (row.limit >= one.too_long) return false;
  const Shape& shape = model_.shapes[row.shape];
  FreeNodeIndex& nodes = takeable_nodes_[row.taker];
  if (nodes.free_count(row.shape) < shape.nodes) return false;
  victims_.clear();
  last_victims_.clear();
  nodes.each_free(row.shape, [&](int node) {
    const bool barred = !backfill && node_blocked_[node] == pass_;
    if (!barred && plans_.window(node, now, row.reservation, backfill ? Plans::all : Plans::none) >= row.limit) {
      last_victims_.emplace_back(VictimKey(), node);
    }
    return true;
  });
  const auto wanted = static_cast<std::size_t>(shape.nodes);
  if (last_victims_.size() < wanted) {
    if (row.reservation < 0) one.too_long = row.limit;
    return false;
  }
  for (auto& [key, node] : last_victims_) key = last_victim(node, shape.demand, row.taker);
  std::partial_sort(last_victims_.begin(), last_victims_.begin() + shape.nodes, last_victims_.end());
  chosen_.clear();
  left_by_victims_.clear();
  for (std::size_t i = 0; i < wanted; ++i) choose_victims(last_victims_[i].second, shape.demand, row.taker);
  return true;
}

/// Those who were chosen end at some time in their grace. When the last of them will have: from then on whoever takes
/// their places runs.
ReplayTime QueueReplay::end_victims(ReplayTime at) {
  ReplayTime all_gone = at;
  for (const int slot : victims_) {
    RunningJobs::Run& run = running_.at(slot);
    if (!run.ending) {
      const double chance = unit_interval(mixed(chance_, mixed(model_.jobs[run.job].key, for_victims)));
      const ReplayTime grace = std::max(1, static_cast<ReplayTime>(chance * model_.room_groups[run.group].grace));
      // Who is over by himself before that does not go back.
      if (at + grace < run.ends_at) {
        run.ending = true;
        run.ends_at = at + grace;
        events_.add_end(run.ends_at, slot);
        running_.set_limit_end(slot, run.ends_at);
        for (const int node : run.nodes) timeline_.set_limit_end(node, slot, run.ends_at);
      }
    }
    all_gone = std::max(all_gone, run.ends_at);
  }
  victims_.clear();
  return all_gone;
}

/// A job that was preempted waits again, at its old place: Slurm computes its priority anew, without the time that it
/// had waited, which nobody knows here.
void QueueReplay::go_back(int job) {
  ++tasks_left_[job];
  const auto first = std::lower_bound(rows_of_jobs_.begin(), rows_of_jobs_.end(), std::pair(job, 0));
  for (auto at = first; at != rows_of_jobs_.end() && at->first == job; ++at) queue_up(at->second);
}

}  // namespace rv::planner
