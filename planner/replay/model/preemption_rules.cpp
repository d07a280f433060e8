#include "planner/replay/model/preemption_rules.h"

#include <algorithm>

#include "planner/cluster/preemption.h"

namespace rv::planner {

namespace {

/// Enough for any protection that matters: above that, neighbours share a class.
constexpr std::size_t most_priority_classes = 32;

}  // namespace

/// The priorities of the running jobs, where one may protect its job from preemption.
void PreemptionRules::add_priority_classes() {
  bool any = false;
  const auto count = static_cast<int>(model_.groups_are_qos ? cluster_.qos.size() : cluster_.partitions.size());
  for (int i = 0; i < count; ++i) any = any || spares(i);
  if (!any) return;
  std::vector<std::int64_t> priorities;
  for (const QueuedJob& job : cluster_.jobs) {
    if (job.state == "RUNNING") priorities.push_back(job.priority);
  }
  std::sort(priorities.begin(), priorities.end());
  priorities.erase(std::unique(priorities.begin(), priorities.end()), priorities.end());
  const std::size_t step = priorities.size() / most_priority_classes + 1;
  for (std::size_t i = 0; i < priorities.size(); i += step) model_.priority_classes.push_back(priorities[i]);
}

bool PreemptionRules::spares(int partition_or_qos) const {
  return model_.groups_are_qos ? spares_higher_priority(cluster_.controller, cluster_.qos[partition_or_qos])
                               : spares_higher_priority(cluster_.controller, cluster_.partitions[partition_or_qos]);
}

PreemptionRules::PreemptionRules(const Cluster& cluster, ReplayModel& model) : cluster_(cluster), model_(model) {
  const auto add = [&](const auto& group, std::chrono::seconds exempt, std::int64_t rank) {
    PreemptionGroup one;
    one.is_preemptible = is_preemptible(cluster_.controller, group);
    one.is_requeued = is_requeued(cluster_.controller, group);
    one.grace = static_cast<ReplayTime>(group.grace_time.count());
    one.exempt = static_cast<ReplayTime>(exempt.count());
    one.rank = rank;
    model_.preemption_groups.insert(model_.preemption_groups.end(), model_.priority_classes.size() + 1, one);
  };
  const auto of_cluster = cluster_.controller.preempt_exempt_time;
  model_.groups_are_qos = preempts_by_qos(cluster_.controller);
  add_priority_classes();
  if (model_.groups_are_qos) {
    for (const Qos& qos : cluster_.qos) {
      add(qos, qos.preempt_exempt_time.value_or(of_cluster), qos.priority);
    }
  } else {
    for (const Partition& partition : cluster_.partitions) {
      add(partition, of_cluster, partition.priority_tier);
    }
  }
}

int PreemptionRules::preemptor(int qos, int partition, std::int64_t priority) {
  const int partition_or_qos = model_.groups_are_qos ? qos : partition;
  if (partition_or_qos < 0) return -1;
  std::optional<int> highest_class;
  if (spares(partition_or_qos)) {
    // preempt/qos spares jobs of equal priority, preempt/partition_prio does not.
    const auto& classes = model_.priority_classes;
    const auto above = model_.groups_are_qos ? std::lower_bound(classes.begin(), classes.end(), priority)
                                             : std::upper_bound(classes.begin(), classes.end(), priority);
    highest_class = static_cast<int>(above - classes.begin());
  }
  const auto [known, fresh] = preemptors_of_groups_.try_emplace({partition_or_qos, highest_class.value_or(-1)}, -1);
  if (fresh) known->second = new_preemptor(partition_or_qos, highest_class);
  return known->second;
}

/// The number of the preemptor for jobs of the partition (or QOS), which may preempt jobs up to this priority class.
int PreemptionRules::new_preemptor(int partition_or_qos, std::optional<int> highest_class) {
  Preemptor preemptor;
  preemptor.may_preempt.resize(model_.preemption_groups.size());
  const std::size_t classes = model_.priority_classes.size() + 1;
  bool any = false;
  for (std::size_t i = 0; i < preemptor.may_preempt.size(); ++i) {
    const PreemptionGroup& other = model_.preemption_groups[i];
    if (!other.is_preemptible || (highest_class && static_cast<int>(i % classes) > *highest_class)) continue;
    const std::size_t owner = i / classes;
    if (model_.groups_are_qos) {
      const auto& taken = cluster_.qos[partition_or_qos].preempts;
      preemptor.may_preempt[i] = std::find(taken.begin(), taken.end(), cluster_.qos[owner].name) != taken.end();
    } else {
      preemptor.may_preempt[i] =
          cluster_.partitions[owner].priority_tier < cluster_.partitions[partition_or_qos].priority_tier;
    }
    if (!preemptor.may_preempt[i]) continue;
    any = true;
    preemptor.grace = std::max(preemptor.grace, other.grace);
  }
  if (!any) return -1;
  const auto known = std::find_if(model_.preemptors.begin(), model_.preemptors.end(),
                                  [&](const Preemptor& one) { return one.may_preempt == preemptor.may_preempt; });
  if (known != model_.preemptors.end()) return static_cast<int>(known - model_.preemptors.begin());
  for (std::size_t i = 0; i < preemptor.may_preempt.size(); ++i) {
    if (preemptor.may_preempt[i]) model_.preemption_groups[i].has_preemptor = true;
  }
  model_.preemptors.push_back(std::move(preemptor));
  return static_cast<int>(model_.preemptors.size()) - 1;
}

int PreemptionRules::qos(const DatabaseName& name) const {
  if (!model_.groups_are_qos) return -1;
  const auto found =
      std::find_if(cluster_.qos.begin(), cluster_.qos.end(), [&](const Qos& one) { return one.name == name; });
  return found == cluster_.qos.end() ? -1 : static_cast<int>(found - cluster_.qos.begin());
}

}  // namespace rv::planner
