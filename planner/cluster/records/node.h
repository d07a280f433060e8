// One node, with its GPUs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/memory_size.h"
#include "planner/cluster/records/database_name.h"
#include "planner/slurm_words/node_state.h"

namespace rv::planner {

/// GPUs of one gres type on one node.
struct GpuPool {
  std::string type;  // as the node's Gres names it ("a100", "1g.10gb"); empty for an untyped gres
  int total = 0;
  int used = 0;

  static void describe(auto& self, auto& field) {
    field("type", self.type);
    field("total", self.total);
    field("used", self.used);
  }
};

struct Node {
  std::string name;
  NodeState state;
  std::vector<GpuPool> gpus;
  int cpus = 0;  // schedulable
  int cpus_used = 0;
  Mebibytes memory;  // schedulable (RealMemory), not what the OS calls free
  Mebibytes memory_used;
  std::vector<std::string> features;        // active ones
  std::vector<std::string> other_features;  // that a reboot would give it
  std::vector<std::string> partitions;      // names
  DatabaseName owner;                       // the only user whose jobs start there (Exclusive=USER); empty: anybody's
  int sockets = 0;                          // 0: not stated
  std::int64_t weight = 1;                  // Weight: Slurm fills nodes of a low weight first
  std::string top_switch;                   // topology/tree: the highest switch above it; empty: none, or no tree
  std::string reason;                       // why it is drained or down; empty when it is not

  static void describe(auto& self, auto& field) {
    field("name", self.name);
    field("state", self.state);
    field("next_state", self.state.next);
    field("gpus", self.gpus);
    field("cpus", self.cpus);
    field("cpus_used", self.cpus_used);
    field("memory_mb", self.memory);
    field("memory_used_mb", self.memory_used);
    field("features", self.features);
    field("other_features", self.other_features);
    field("partitions", self.partitions);
    field("owner", self.owner);
    field("sockets", self.sockets);
    field("weight", self.weight);
    field("top_switch", self.top_switch);
    field("reason", self.reason);
  }
};

}  // namespace rv::planner
