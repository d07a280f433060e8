// Who may preempt whom, in numbers.
#include <algorithm>

#include "planner/cluster/preemption.h"
#include "planner/replay/model/replay_builder.h"

namespace rv::planner {

namespace {

/// In place of a taker's number.
constexpr int not_asked = -2;

}  // namespace

void ReplayBuilder::add_room_groups() {
  const auto add = [&](const auto& group, std::chrono::seconds exempt) {
    RoomGroup one;
    one.makes_room = makes_room(cluster_.controller, group);
    one.goes_back = goes_back(cluster_.controller, group);
    one.grace = static_cast<ReplayTime>(group.grace_time.count());
    one.exempt = static_cast<ReplayTime>(exempt.count());
    model_.room_groups.push_back(one);
  };
  const auto of_cluster = cluster_.controller.preempt_exempt_time;
  model_.groups_are_qos = preempts_by_qos(cluster_.controller);
  if (model_.groups_are_qos) {
    for (const Qos& qos : cluster_.qos) {
      add(qos, qos.preempt_exempt_time.value_or(of_cluster));
      model_.room_groups.back().rank = qos.priority;
    }
  } else {
    for (const Partition& partition : cluster_.partitions) {
      add(partition, of_cluster);
      model_.room_groups.back().rank = partition.priority_tier;
    }
  }
  takers_of_groups_.assign(model_.room_groups.size(), not_asked);
}

int ReplayBuilder::taker(int qos, int partition) {
  const int group = room_group(qos, partition);
  if (group < 0) return -1;
  int& known = takers_of_groups_[group];
  if (known == not_asked) known = new_taker(group);
  return known;
}

/// The taker that jobs of the room group are.
int ReplayBuilder::new_taker(int group) {
  Taker taker;
  taker.from.resize(model_.room_groups.size());
  bool any = false;
  for (std::size_t i = 0; i < taker.from.size(); ++i) {
    const RoomGroup& other = model_.room_groups[i];
    if (!other.makes_room) continue;
    if (model_.groups_are_qos) {
      const auto& taken = cluster_.qos[group].preempts;
      taker.from[i] = std::find(taken.begin(), taken.end(), cluster_.qos[i].name) != taken.end();
    } else {
      taker.from[i] = cluster_.partitions[i].priority_tier < cluster_.partitions[group].priority_tier;
    }
    if (!taker.from[i]) continue;
    any = true;
    taker.grace = std::max(taker.grace, other.grace);
  }
  if (!any) return -1;
  const auto known = std::find_if(model_.takers.begin(), model_.takers.end(),
                                  [&](const Taker& one) { return one.from == taker.from; });
  if (known != model_.takers.end()) return static_cast<int>(known - model_.takers.begin());
  for (std::size_t i = 0; i < taker.from.size(); ++i) {
    if (taker.from[i]) model_.room_groups[i].taken = true;
  }
  model_.takers.push_back(std::move(taker));
  return static_cast<int>(model_.takers.size()) - 1;
}

int ReplayBuilder::qos(const DatabaseName& name) const {
  if (!model_.groups_are_qos) return -1;
  const auto found =
      std::find_if(cluster_.qos.begin(), cluster_.qos.end(), [&](const Qos& one) { return one.name == name; });
  return found == cluster_.qos.end() ? -1 : static_cast<int>(found - cluster_.qos.begin());
}

/// Of the running jobs that somebody may send back to the queue.
std::vector<Entry> ReplayBuilder::returning_entries() {
  std::vector<Entry> entries;
  // Who goes back may take from others in his turn.
  for (std::size_t known = 0; known != model_.takers.size();) {
    known = model_.takers.size();
    entries.clear();
    for (std::size_t i = 0; i < queued_running_.size(); ++i) {
      const RunningJob& running = model_.running[i];
      if (running.group < 0) continue;
      const RoomGroup& group = model_.room_groups[running.group];
      if (!group.taken || !group.goes_back) continue;
      const QueuedJob& job = *queued_running_[i];
      add_entries(job, running.job, {job.features, job.excluded_nodes, job.required_nodes, -1}, entries);
    }
  }
  return entries;
}

}  // namespace rv::planner
