#include "planner/replay/nodes/node_timeline.h"

#include <algorithm>

#include "planner/replay/model/gpu_pools.h"
#include "planner/replay/nodes/earliest_start_queue.h"

namespace rv::planner {

namespace {

/// Jobs whose parts are rounded up give back no more than there is.
void cap(NodeResources& free, const NodeResources& total) {
  free.cpus = std::min(free.cpus, total.cpus);
  free.memory = std::min(free.memory, total.memory);
  for (std::size_t i = 0; i < free.gpus.size(); ++i) free.gpus[i] = std::min(free.gpus[i], total.gpus[i]);
}

bool fits(const NodeResources& free, const ReplayNode& node, const Demand& demand) {
  // Where a tenancy decides, jobs may have the same CPUs: may_join().
  if (demand.tenancy < 0 && free.cpus < demand.cpus) return false;
  if (free.memory < std::max(demand.memory, demand.least_free_memory)) return false;
  if (demand.whole_node && free.cpus < node.total.cpus) return false;
  return demand.gpus == 0 || gpus_in(free, pools_for(node, demand)) >= demand.gpus;
}

}  // namespace

NodeTimeline::NodeTimeline(const ReplayModel& model)
    : model_(model), first_(model.nodes.size()), states_(model.nodes.size()), last_release_(model.nodes.size()) {}

void NodeTimeline::enter(const std::vector<int>& nodes) {
  nodes_ = nodes;
  for (const int node : nodes) first_[node] = {model_.nodes[node].free, {}};
}

void NodeTimeline::reset() {
  changes_.clear();
  for (const int node : nodes_) {
    states_[node] = first_[node];
    last_release_[node] = 0;
  }
}

bool NodeTimeline::fits_now(const State& state, int node, int demand) const {
  const Demand& wanted = model_.demands[demand];
  if (!fits(state.free, model_.nodes[node], wanted) || (wanted.whole_node && !state.tenants.empty())) return false;
  return wanted.tenancy < 0 || may_join(state, 0, state.free.cpus, node, wanted);
}

/// Those from the `first` on to which rules apply.
std::vector<planner::Tenant> NodeTimeline::tenants_of(const State& state, std::size_t first) const {
  std::vector<planner::Tenant> tenants;
  for (std::size_t i = first; i < state.tenants.size(); ++i) {
    const Tenant& one = state.tenants[i];
    if (one.tenancy >= 0) tenants.push_back({&model_.tenancies[one.tenancy], one.part.cpus});
  }
  return tenants;
}

bool NodeTimeline::belongs_to_another(int node, int demand) const {
  const Tenancy& tenancy = model_.tenancies[model_.demands[demand].tenancy];
  return planner::belongs_to_another(tenancy, tenants_of(states_[node], 0));
}

/// Whether the demand's tenancy lets it join the tenants from the `first` on.
bool NodeTimeline::may_join(const State& state, std::size_t first, int free_cpus, int node,
                            const Demand& wanted) const {
  if (wanted.tenancy < 0) return true;
  const ReplayNode& record = model_.nodes[node];
  return planner::may_join(model_.tenancies[wanted.tenancy], wanted.cpus, tenants_of(state, first),
                           {record.total.cpus, free_cpus});
}

bool NodeTimeline::fits_without(const State& state, int node, int demand, const FreedResources& gone) const {
  if (gone.jobs == 0) return fits_now(state, node, demand);
  const Demand& wanted = model_.demands[demand];
  NodeResources free = state.free;
  add(free, gone.part);
  cap(free, model_.nodes[node].total);
  // Who has left is not known by name: all tenants count, or none.
  const bool alone = state.tenants.size() == static_cast<std::size_t>(gone.jobs);
  return fits(free, model_.nodes[node], wanted) && (!wanted.whole_node || alone) &&
         may_join(state, alone ? state.tenants.size() : 0, free.cpus, node, wanted);
}

NodeResources NodeTimeline::part_for(int node, int demand, const FreedResources* gone) const {
  const Demand& wanted = model_.demands[demand];
  NodeResources free = states_[node].free;
  if (gone != nullptr) {
    add(free, gone->part);
    cap(free, model_.nodes[node].total);
  }
  if (wanted.whole_node) return free;
  NodeResources part;
  part.cpus = wanted.cpus;
  part.memory = wanted.memory;
  if (wanted.gpus > 0) take_gpus(part, free, pools_for(model_.nodes[node], wanted), wanted.gpus);
  return part;
}

void NodeTimeline::insert(State& state, const Tenant& one) {
  const auto at = std::upper_bound(state.tenants.begin(), state.tenants.end(), one.limit_end,
                                   [](ReplayTime end, const Tenant& other) { return end < other.limit_end; });
  state.tenants.insert(at, one);
}

void NodeTimeline::adopt(int node, const NodeResources& part, ReplayTime limit_end, int job, int tenancy) {
  insert(first_[node], {limit_end, job, part, tenancy});
}

void NodeTimeline::hold(int node, const NodeResources& part, ReplayTime limit_end, int job, int tenancy) {
  subtract(states_[node].free, part);
  insert(states_[node], {limit_end, job, part, tenancy});
  changes_.push_back(node);
}

void NodeTimeline::release(int node, int job) {
  State& state = states_[node];
  const auto found =
      std::find_if(state.tenants.begin(), state.tenants.end(), [&](const Tenant& one) { return one.job == job; });
  if (found == state.tenants.end()) return;
  add(state.free, found->part);
  cap(state.free, model_.nodes[node].total);
  state.tenants.erase(found);
  changes_.push_back(node);
}

void NodeTimeline::set_limit_end(int node, int job, ReplayTime end) {
  State& state = states_[node];
  const auto found =
      std::find_if(state.tenants.begin(), state.tenants.end(), [&](const Tenant& one) { return one.job == job; });
  if (found == state.tenants.end()) return;
  Tenant moved = *found;
  moved.limit_end = end;
  state.tenants.erase(found);
  insert(state, moved);
  changes_.push_back(node);
}

const NodeResources& NodeTimeline::part_of(int node, int job) const {
  static const NodeResources nothing;
  const auto& tenants = states_[node].tenants;
  const auto found = std::find_if(tenants.begin(), tenants.end(), [&](const Tenant& one) { return one.job == job; });
  return found == tenants.end() ? nothing : found->part;
}

int NodeTimeline::free_cpus_at(int node, ReplayTime when) const {
  const State& state = states_[node];
  int cpus = state.free.cpus;
  for (const Tenant& one : state.tenants) {
    if (one.limit_end > when) break;
    cpus += one.part.cpus;
  }
  return std::min(cpus, model_.nodes[node].total.cpus);
}

ReplayTime NodeTimeline::free_from(const State& state, int node, int demand) const {
  if (fits_now(state, node, demand)) return EarliestStartQueue::free_now;
  const Demand& wanted = model_.demands[demand];
  if (wanted.tenancy >= 0) return free_among(state, node, wanted);
  const ReplayNode& record = model_.nodes[node];
  const PoolRange pools = wanted.gpus > 0 ? pools_for(record, wanted) : PoolRange();
  if (pools.last - pools.first > 1) return free_among(state, node, wanted);
  return free_from_pool(state, record, wanted, pools.first);
}

/// free_from() where a tenancy decides or several pools count: the tenants leave one by one until the demand may join
/// the rest.
ReplayTime NodeTimeline::free_among(const State& state, int node, const Demand& wanted) const {
  const ReplayNode& record = model_.nodes[node];
  NodeResources free = state.free;
  for (std::size_t i = 0; i < state.tenants.size(); ++i) {
    add(free, state.tenants[i].part);
    cap(free, record.total);
    const bool left = !wanted.whole_node || i + 1 == state.tenants.size();
    if (left && fits(free, record, wanted) && may_join(state, i + 1, free.cpus, node, wanted)) {
      return state.tenants[i].limit_end;
    }
  }
  return never;
}

/// free_from() for a demand with GPUs of at most one pool. Adds up only the requested resources, to save time.
ReplayTime NodeTimeline::free_from_pool(const State& state, const ReplayNode& record, const Demand& wanted, int pool) {
  const int cpus_wanted = wanted.whole_node ? std::max(wanted.cpus, record.total.cpus) : wanted.cpus;
  const std::int64_t memory_wanted = std::max(wanted.memory, wanted.least_free_memory);
  int cpus = state.free.cpus;
  std::int64_t memory = state.free.memory;
  int gpus = state.free.gpus[pool];
  for (const Tenant& one : state.tenants) {
    cpus = std::min(cpus + one.part.cpus, record.total.cpus);
    memory = std::min(memory + one.part.memory, record.total.memory);
    gpus = std::min(gpus + one.part.gpus[pool], static_cast<int>(record.total.gpus[pool]));
    if (cpus >= cpus_wanted && memory >= memory_wanted && gpus >= wanted.gpus) return one.limit_end;
  }
  return never;
}

}  // namespace rv::planner
