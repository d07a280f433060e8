#include "planner/replay/model/components.h"

#include <algorithm>

#include "base/disjoint_sets.h"

namespace rv::planner {

namespace {

class Divider {
 public:
  Divider(const ReplayModel& model, const std::vector<HypotheticalJob>& hypotheticals)
      : model_(model),
        hypotheticals_(hypotheticals),
        groups_(model.partitions.size() + model.counters.size() + model.jobs.size()) {}

  std::vector<Component> divide() {
    join_partitions();
    join_jobs();
    std::vector<Component> components;
    std::vector<int> number(model_.partitions.size(), -1);  // of the component, by its group's first partition
    for (std::size_t i = 0; i < hypotheticals_.size(); ++i) {
      int& at = number[groups_.root_of(hypotheticals_[i].partition)];
      if (at < 0) {
        at = static_cast<int>(components.size());
        components.emplace_back();
      }
      components[at].hypotheticals.push_back(static_cast<int>(i));
    }
    fill(components, number);
    return components;
  }

 private:
  int counter(int number) const { return static_cast<int>(model_.partitions.size()) + number; }
  int job(int number) const { return counter(static_cast<int>(model_.counters.size())) + number; }

  void join_partitions() {
    std::vector<int> first_of_node(model_.nodes.size(), -1);
    for (std::size_t p = 0; p < model_.partitions.size(); ++p) {
      for (const int node : model_.partition_nodes[p]) {
        if (first_of_node[node] < 0) first_of_node[node] = static_cast<int>(p);
        groups_.join(first_of_node[node], static_cast<int>(p));
      }
    }
    for (const RunningJob& running : model_.running) {
      for (const JobPart& holding : running.parts) {
        if (first_of_node[holding.node] >= 0) groups_.join(first_of_node[holding.node], job(running.job));
      }
    }
    first_of_node_ = std::move(first_of_node);
  }

  void join_jobs() {
    for (const Entry& entry : model_.entries) {
      groups_.join(entry.partition, job(entry.job));
      const ReplayJob& record = model_.jobs[entry.job];
      for (const int number : record.counters) groups_.join(entry.partition, counter(number));
      for (const int other : record.after) groups_.join(entry.partition, job(other));
    }
    for (const HypotheticalJob& hypothetical : hypotheticals_) {
      for (const int number : hypothetical.shared_limits) {
        // A limit without other waiting or running jobs joins nothing: hypothetical jobs hold nothing.
        const int counted = model_.limits[number].counter;
        if (model_.counters[counted].jobs > 0) groups_.join(hypothetical.partition, counter(counted));
      }
    }
    for (const RunningJob& running : model_.running) {
      for (const int number : model_.jobs[running.job].counters) groups_.join(job(running.job), counter(number));
    }
  }

  void fill(std::vector<Component>& components, const std::vector<int>& number) {
    // Joining keeps the smaller number, so that a group with partitions in it is known by one.
    const auto component_of = [&](int member) -> Component* {
      const int root = groups_.root_of(member);
      const bool found = root < static_cast<int>(number.size()) && number[root] >= 0;
      return found ? &components[number[root]] : nullptr;
    };
    for (std::size_t p = 0; p < model_.partitions.size(); ++p) {
      if (Component* one = component_of(static_cast<int>(p))) one->partitions.push_back(static_cast<int>(p));
    }
    for (std::size_t n = 0; n < model_.nodes.size(); ++n) {
      if (first_of_node_[n] < 0) continue;
      if (Component* one = component_of(first_of_node_[n])) one->nodes.push_back(static_cast<int>(n));
    }
    for (Component& one : components) order_hypotheticals(one);
    add_entries(components, component_of);
    for (std::size_t r = 0; r < model_.running.size(); ++r) {
      if (Component* one = component_of(job(model_.running[r].job))) one->running.push_back(static_cast<int>(r));
    }
  }

  void order_hypotheticals(Component& one) const {
    std::stable_sort(one.hypotheticals.begin(), one.hypotheticals.end(), [&](int a, int b) {
      return before(hypotheticals_[a].tier, hypotheticals_[a].priority, 0, hypotheticals_[b].tier,
                    hypotheticals_[b].priority, 0);
    });
  }

  QueueEntry queue_entry(int number) const {
    const Entry& entry = model_.entries[number];
    const ReplayJob& job = model_.jobs[entry.job];
    QueueEntry queued;
    queued.priority = job.priority;
    queued.job = entry.job;
    queued.shape = entry.shape;
    queued.partition = entry.partition;
    queued.preemptor = entry.preemptor;
    queued.user = job.user;
    queued.limit = job.limit;
    queued.eligible = job.eligible;
    queued.reservation = job.reservation;
    queued.bound = job.array >= 0 || !job.after.empty() || !job.limits.empty();
    return queued;
  }

  /// Gives each job that waits or will wait its place in the queue, as a number that is the same in all trials.
  /// `returning`: entries of jobs that run.
  void add_entries(Component& one, const std::vector<int>& waiting, const std::vector<int>& returning) const {
    const auto stands_before = [&](int a, int b) {
      const Entry& first = model_.entries[a];
      const Entry& second = model_.entries[b];
      const ReplayJob& one_job = model_.jobs[first.job];
      const ReplayJob& other = model_.jobs[second.job];
      return before(first.tier, one_job.priority, one_job.number, second.tier, other.priority, other.number);
    };
    std::vector<int> coming = returning;
    for (const auto& period : one.arrivals) {
      for (const Arrival& arrival : period) coming.push_back(arrival.entry);
    }
    std::sort(coming.begin(), coming.end(), stands_before);
    std::vector<int> order(waiting.size() + coming.size());
    std::merge(waiting.begin(), waiting.end(), coming.begin(), coming.end(), order.begin(), stands_before);
    std::vector<int> index_of(model_.entries.size(), -1);
    one.entries.reserve(order.size());
    for (const int entry : order) {
      index_of[entry] = static_cast<int>(one.entries.size());
      one.entries.push_back(queue_entry(entry));
    }
    for (const int partition : one.partitions) {
      const auto here = [&](const QueueEntry& queued) { return queued.partition == partition; };
      if (std::any_of(one.entries.begin(), one.entries.end(), here)) ++one.partitions_with_entries;
    }
    one.waiting.reserve(waiting.size());
    for (const int entry : waiting) one.waiting.push_back(index_of[entry]);
    for (auto& period : one.arrivals) {
      for (Arrival& arrival : period) arrival.entry = index_of[arrival.entry];
    }
    for (const int number : one.hypotheticals) {
      const HypotheticalJob& hypothetical = hypotheticals_[number];
      const auto behind = std::partition_point(order.begin(), order.end(), [&](int entry) {
        const Entry& there = model_.entries[entry];
        const ReplayJob& job = model_.jobs[there.job];
        return before(there.tier, job.priority, job.number, hypothetical.tier, hypothetical.priority,
                      first_coming_number);
      });
      one.hypothetical_entries.push_back(static_cast<int>(behind - order.begin()));
    }
  }

  template <typename ComponentOf>
  void add_entries(std::vector<Component>& components, const ComponentOf& component_of) {
    std::size_t arrivals = 0;
    for (const auto& period : model_.arrivals) arrivals += period.size();
    const std::size_t present = model_.entries.size() - model_.returning;
    const std::size_t pending = present - arrivals;
    const auto depth = static_cast<std::size_t>(model_.times.backfill_depth);
    std::vector<std::vector<int>> waiting(components.size());
    for (std::size_t e = 0; e < pending; ++e) {
      Component* one = component_of(model_.entries[e].partition);
      if (one == nullptr) continue;
      waiting[one - components.data()].push_back(static_cast<int>(e));
      if (e < depth) ++one->backfill_depth;
    }
    for (std::size_t i = 0; i < components.size(); ++i) {
      const std::size_t share = pending <= depth ? depth : depth * waiting[i].size() / pending;
      components[i].backfill_depth = std::max({components[i].backfill_depth, static_cast<int>(share), 1});
    }
    for (std::size_t p = 0; p < model_.arrivals.size(); ++p) {
      for (const Arrival& arrival : model_.arrivals[p]) {
        Component* one = component_of(model_.entries[arrival.entry].partition);
        if (one == nullptr) continue;
        one->arrivals.resize(model_.arrivals.size());
        one->arrivals[p].push_back(arrival);
      }
    }
    std::vector<std::vector<int>> returning(components.size());
    for (std::size_t e = present; e < model_.entries.size(); ++e) {
      Component* one = component_of(model_.entries[e].partition);
      if (one != nullptr) returning[one - components.data()].push_back(static_cast<int>(e));
    }
    for (std::size_t i = 0; i < components.size(); ++i) add_entries(components[i], waiting[i], returning[i]);
  }

  const ReplayModel& model_;
  const std::vector<HypotheticalJob>& hypotheticals_;
  DisjointSets groups_;
  std::vector<int> first_of_node_;
};

}  // namespace

std::vector<Component> components_of(const ReplayModel& model, const std::vector<HypotheticalJob>& hypotheticals) {
  return Divider(model, hypotheticals).divide();
}

}  // namespace rv::planner
