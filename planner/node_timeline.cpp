#include "planner/node_timeline.h"

#include <algorithm>

namespace rv::planner {

namespace {

void add(Room& to, const Room& part) {
  to.cpus += part.cpus;
  to.memory += part.memory;
  for (int i = 0; i < most_pools; ++i) to.gpus[i] = static_cast<std::int16_t>(to.gpus[i] + part.gpus[i]);
}

/// Jobs whose parts are rounded up give back no more than there is.
void cap(Room& room, const Room& total) {
  room.cpus = std::min(room.cpus, total.cpus);
  room.memory = std::min(room.memory, total.memory);
  for (int i = 0; i < most_pools; ++i) room.gpus[i] = std::min(room.gpus[i], total.gpus[i]);
}

int pool_for(const Room& room, const ReplayNode& node, const Demand& demand) {
  for (int i = 0; i < most_pools; ++i) {
    if (node.types[i] == no_gpu || (demand.gpu_type != any_gpu && node.types[i] != demand.gpu_type)) continue;
    if (room.gpus[i] >= demand.gpus) return i;
  }
  return -1;
}

}  // namespace

NodeTimeline::NodeTimeline(const ReplayModel& model)
    : model_(model),
      free_(model.nodes.size()),
      tenants_(model.nodes.size()),
      last_release_(model.nodes.size()),
      version_(model.nodes.size()),
      known_(model.places),
      planned_(model.nodes.size()) {}

void NodeTimeline::reset(const std::vector<int>& nodes) {
  forget_plans();
  for (const int node : nodes) {
    free_[node] = model_.nodes[node].free;
    tenants_[node].clear();
    last_release_[node] = 0;
    version_[node] = ++latest_version_;
  }
}

bool NodeTimeline::fits(const Room& room, const ReplayNode& node, const Demand& demand) const {
  if (room.cpus < demand.cpus || room.memory < demand.memory) return false;
  if (demand.whole_node && room.cpus < node.total.cpus) return false;
  return demand.gpus == 0 || pool_for(room, node, demand) >= 0;
}

bool NodeTimeline::has_room(int node, int demand) const {
  const Demand& wanted = model_.demands[demand];
  return fits(free_[node], model_.nodes[node], wanted) && (!wanted.whole_node || tenants_[node].empty());
}

bool NodeTimeline::has_free_gpu(int node) const {
  const auto& gpus = free_[node].gpus;
  return std::any_of(gpus.begin(), gpus.end(), [](std::int16_t count) { return count > 0; });
}

Room NodeTimeline::part_for(int node, int demand) const {
  const Demand& wanted = model_.demands[demand];
  if (wanted.whole_node) return free_[node];
  Room part;
  part.cpus = wanted.cpus;
  part.memory = wanted.memory;
  if (wanted.gpus > 0) {
    const int pool = pool_for(free_[node], model_.nodes[node], wanted);
    if (pool >= 0) part.gpus[pool] = static_cast<std::int16_t>(wanted.gpus);
  }
  return part;
}

void NodeTimeline::adopt(int node, const Room& part, Tick limit_end, int job) {
  auto& tenants = tenants_[node];
  const auto at = std::upper_bound(tenants.begin(), tenants.end(), limit_end,
                                   [](Tick end, const Tenant& one) { return end < one.limit_end; });
  tenants.insert(at, {limit_end, job, part});
  version_[node] = ++latest_version_;
}

void NodeTimeline::hold(int node, const Room& part, Tick limit_end, int job) {
  Room& room = free_[node];
  room.cpus -= part.cpus;
  room.memory -= part.memory;
  for (int i = 0; i < most_pools; ++i) room.gpus[i] = static_cast<std::int16_t>(room.gpus[i] - part.gpus[i]);
  adopt(node, part, limit_end, job);
}

void NodeTimeline::release(int node, int job) {
  auto& tenants = tenants_[node];
  const auto found = std::find_if(tenants.begin(), tenants.end(), [&](const Tenant& one) { return one.job == job; });
  if (found == tenants.end()) return;
  add(free_[node], found->part);
  cap(free_[node], model_.nodes[node].total);
  tenants.erase(found);
  version_[node] = ++latest_version_;
}

Tick NodeTimeline::free_at(const Shape& shape, std::size_t place, Tick now) {
  const int node = shape.places[place];
  const int demand = shape.demand;
  Known& known = known_[shape.first + place];
  if (known.version != version_[node]) {
    known.version = version_[node];
    known.at = never;
    Room room = free_[node];
    const Demand& wanted = model_.demands[demand];
    const ReplayNode& record = model_.nodes[node];
    if (has_room(node, demand)) {
      known.at = -never;
    } else {
      for (const Tenant& one : tenants_[node]) {
        add(room, one.part);
        cap(room, record.total);
        if (!fits(room, record, wanted)) continue;
        known.at = one.limit_end;
        break;
      }
    }
  }
  if (known.at == -never) return now;
  // A job past its limit is expected to be over any moment.
  return std::max(known.at, now + 1);
}

Tick NodeTimeline::clear_from(int node, Tick from, Tick length, int reservation, Plans plans) const {
  const auto& planned = planned_[node];
  const auto& blocks = model_.blocks[node];
  if (planned.empty() && blocks.empty()) return from;
  bool moved = true;
  while (moved && from < never) {
    moved = false;
    for (const Planned& span : planned) {
      if (span.begin >= from + length || span.end <= from) continue;
      if (plans == Plans::none || (span.probe && plans != Plans::all)) continue;
      from = span.end;
      moved = true;
    }
    for (const Block& block : blocks) {
      if (block.reservation == reservation || block.begin >= from + length || block.end <= from) continue;
      from = block.end;
      moved = true;
    }
  }
  return from;
}

Tick NodeTimeline::window(int node, Tick now, int reservation, Plans plans) const {
  Tick until = never + now;
  if (plans != Plans::none) {
    for (const Planned& span : planned_[node]) {
      if (span.end > now && (plans == Plans::all || !span.probe)) until = std::min(until, span.begin);
    }
  }
  for (const Block& block : model_.blocks[node]) {
    if (block.reservation != reservation && block.end > now) until = std::min(until, block.begin);
  }
  return std::max(0, until - now);
}

void NodeTimeline::plan(int node, Planned span) {
  if (planned_[node].empty()) with_plans_.push_back(node);
  planned_[node].push_back(span);
}

void NodeTimeline::forget_plans() {
  for (const int node : with_plans_) planned_[node].clear();
  with_plans_.clear();
}

}  // namespace rv::planner
