// A model small enough to see what a part of the replay does with it.
#pragma once

#include <algorithm>

#include "planner/replay/model/replay_model.h"

namespace rv::planner::test {

/// `nodes` nodes of 8 CPUs in one partition, all in one component without any job. Shape i is of one node, shape 8 + i
/// of two, with i + 1 CPUs on each.
struct SmallReplay {
  explicit SmallReplay(int nodes) {
    model.partitions = {"gpu"};
    model.partition_nodes.resize(1);
    for (int i = 0; i < nodes; ++i) {
      ReplayNode node;
      node.total.cpus = node.free.cpus = 8;
      node.types.fill(no_gpu);
      node.open = true;
      model.nodes.push_back(node);
      model.positions.push_back(i);
      model.partition_nodes[0].push_back(i);
    }
    model.reserved_times.resize(model.nodes.size());
    model.preemption_groups.resize(1);
    for (int i = 0; i < 16; ++i) {
      if (i < 8) {
        Demand demand;
        demand.cpus = i + 1;
        model.demands.push_back(demand);
      }
      Shape shape;
      shape.demand = i % 8;
      shape.nodes = i < 8 ? 1 : 2;
      shape.places = model.partition_nodes[0];
      model.shapes.push_back(shape);
    }
    component.nodes = model.partition_nodes[0];
    component.partitions = {0};
    component.backfill_depth = 100;
    component.partitions_with_entries = 1;
  }

  /// The number of a new job with this limit, which neither waits nor runs.
  int add_job(ReplayTime limit) {
    ReplayJob job;
    job.key = model.jobs.size() + 1;
    job.number = static_cast<std::int64_t>(job.key);
    job.limit = limit;
    job.known_run_time = limit;  // to the second, not until the check of limits behind it
    model.jobs.push_back(job);
    return static_cast<int>(model.jobs.size()) - 1;
  }

  /// The row of a new job that waits behind the others.
  int add_waiting(int shape, ReplayTime limit) {
    QueueEntry row;
    row.job = add_job(limit);
    row.shape = shape;
    row.limit = limit;
    component.entries.push_back(row);
    component.waiting.push_back(static_cast<int>(component.entries.size()) - 1);
    return component.waiting.back();
  }

  /// The slot of a new job that runs on the node since the snapshot.
  int add_running(int node, int cpus, ReplayTime limit) {
    NodeResources part;
    part.cpus = cpus;
    model.nodes[static_cast<std::size_t>(node)].free.cpus -= cpus;
    model.running.push_back({add_job(limit), 0, -1, {{node, part}}});
    component.running.push_back(static_cast<int>(model.running.size()) - 1);
    return static_cast<int>(component.running.size()) - 1;
  }

  /// From now on there is a preemptor, number 0, of what the partition's jobs have.
  void let_take(ReplayTime exempt = 0, bool is_requeued = true) {
    model.preemption_groups[0].is_preemptible = model.preemption_groups[0].has_preemptor = true;
    model.preemption_groups[0].exempt = exempt;
    model.preemption_groups[0].is_requeued = is_requeued;
    model.preemptors = {{{true}, 0}};
  }

  ReplayModel model;
  Component component;
};

}  // namespace rv::planner::test
