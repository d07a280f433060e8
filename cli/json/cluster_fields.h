// The fields of a snapshot's types, each listed once for both directions (to JSON and from it).
#pragma once

#include <concepts>
#include <type_traits>

#include "planner/cluster/cluster.h"
#include "planner/cluster/finished_job.h"

namespace rv::cli {

template <typename T, typename Of>
concept is = std::same_as<std::remove_const_t<T>, Of>;

template <typename Visitor>
void describe(Visitor& field, is<planner::GpuPool> auto& pool) {
  field("type", pool.type);
  field("total", pool.total);
  field("used", pool.used);
}

template <typename Visitor>
void describe(Visitor& field, is<planner::Node> auto& node) {
  field("name", node.name);
  field("state", node.state);
  field("gpus", node.gpus);
  field("cpus", node.cpus);
  field("cpus_used", node.cpus_used);
  field("memory_mb", node.memory);
  field("memory_used_mb", node.memory_used);
  field("features", node.features);
  field("partitions", node.partitions);
  field("reason", node.reason);
}

template <typename Visitor>
void describe(Visitor& field, is<planner::Partition> auto& partition) {
  field("name", partition.name);
  field("is_default", partition.is_default);
  field("up", partition.up);
  field("state", partition.state);
  field("max_time_s", partition.max_time);
  field("default_time_s", partition.default_time);
  field("max_nodes", partition.max_nodes);
  field("min_nodes", partition.min_nodes);
  field("total_nodes", partition.total_nodes);
  field("max_cpus_per_node", partition.max_cpus_per_node);
  field("max_memory_per_node_mb", partition.max_memory_per_node);
  field("max_memory_per_cpu_mb", partition.max_memory_per_cpu);
  field("default_memory_per_node_mb", partition.default_memory_per_node);
  field("default_memory_per_cpu_mb", partition.default_memory_per_cpu);
  field("allow_accounts", partition.allow_accounts);
  field("deny_accounts", partition.deny_accounts);
  field("allow_groups", partition.allow_groups);
  field("allow_qos", partition.allow_qos);
  field("deny_qos", partition.deny_qos);
  field("qos", partition.qos);
  field("billing_weights", partition.billing_weights);
  field("priority_tier", partition.priority_tier);
  field("priority_job_factor", partition.priority_job_factor);
  field("preempt_mode", partition.preempt_mode);
  field("grace_time_s", partition.grace_time);
  field("root_only", partition.root_only);
  field("hidden", partition.hidden);
  field("exclusive", partition.exclusive);
  field("requires_reservation", partition.requires_reservation);
}

template <typename Visitor>
void describe(Visitor& field, is<planner::Qos> auto& qos) {
  field("name", qos.name);
  field("priority", qos.priority);
  field("flags", qos.flags);
  field("max_tres_per_job", qos.max_tres_per_job);
  field("max_tres_per_node", qos.max_tres_per_node);
  field("max_tres_per_user", qos.max_tres_per_user);
  field("max_tres_per_account", qos.max_tres_per_account);
  field("group_tres", qos.group_tres);
  field("min_tres_per_job", qos.min_tres_per_job);
  field("max_wall_s", qos.max_wall);
  field("max_jobs_per_user", qos.max_jobs_per_user);
  field("max_submit_per_user", qos.max_submit_per_user);
  field("preempts", qos.preempts);
  field("preempt_mode", qos.preempt_mode);
  field("grace_time_s", qos.grace_time);
  field("preempt_exempt_time_s", qos.preempt_exempt_time);
}

template <typename Visitor>
void describe(Visitor& field, is<planner::Association> auto& association) {
  field("account", association.account);
  field("partition", association.partition);
  field("is_default_account", association.is_default_account);
  field("default_qos", association.default_qos);
  field("qos", association.qos);
  field("max_tres_per_job", association.max_tres_per_job);
  field("max_tres_per_node", association.max_tres_per_node);
  field("group_tres", association.group_tres);
  field("max_wall_s", association.max_wall);
  field("max_jobs", association.max_jobs);
  field("max_submit", association.max_submit);
}

template <typename Visitor>
void describe(Visitor& field, is<planner::Reservation> auto& reservation) {
  field("name", reservation.name);
  field("start", reservation.start);
  field("end", reservation.end);
  field("nodes", reservation.nodes);
  field("flags", reservation.flags);
  field("users", reservation.users);
  field("accounts", reservation.accounts);
}

template <typename Visitor>
void describe(Visitor& field, is<planner::QueuedJob> auto& job) {
  field("id", job.id);
  field("user", job.user);
  field("account", job.account);
  field("partitions", job.partitions);
  field("qos", job.qos);
  field("state", job.state);
  field("reason", job.reason);
  field("priority", job.priority);
  field("requested", job.requested);
  field("gres_per_node", job.gres_per_node);
  field("nodes", job.nodes);
  field("cpus", job.cpus);
  field("min_memory_mb", job.min_memory);
  field("min_memory_is_per_cpu", job.min_memory_is_per_cpu);
  field("time_limit_s", job.time_limit);
  field("submitted", job.submitted);
  field("eligible", job.eligible);
  field("start", job.start);
  field("node_names", job.node_names);
  field("scheduled_nodes", job.scheduled_nodes);
  field("required_nodes", job.required_nodes);
  field("excluded_nodes", job.excluded_nodes);
  field("features", job.features);
  field("dependency", job.dependency);
  field("reservation", job.reservation);
  field("exclusive", job.exclusive);
  field("part_of_het_job", job.part_of_het_job);
  field("array_tasks", job.array_tasks);
  field("name_key", job.name_key);
}

template <typename Visitor>
void describe(Visitor& field, is<planner::FinishedJob> auto& job) {
  field("user", job.user);
  field("account", job.account);
  field("partition", job.partition);
  field("qos", job.qos);
  field("state", job.state);
  field("submitted", job.submitted);
  field("eligible", job.eligible);
  field("start", job.start);
  field("end", job.end);
  field("limit_s", job.limit);
  field("nodes", job.nodes);
  field("cpus", job.cpus);
  field("memory_mb", job.memory);
  field("gpu_type", job.gpu_type);
  field("gpus", job.gpus);
  field("name_key", job.name_key);
}

template <typename Visitor>
void describe(Visitor& field, is<planner::ControllerSettings> auto& controller) {
  field("version", controller.version);
  field("cluster_name", controller.cluster_name);
  field("federation", controller.federation);
  field("scheduler_parameters", controller.scheduler_parameters);
  field("scheduler_type", controller.scheduler_type);
  field("priority_type", controller.priority_type);
  field("priority_flags", controller.priority_flags);
  field("preempt_type", controller.preempt_type);
  field("preempt_mode", controller.preempt_mode);
  field("preempt_exempt_time_s", controller.preempt_exempt_time);
  field("select_type_parameters", controller.select_type_parameters);
  field("requeue_by_default", controller.requeue_by_default);
  field("accounting", controller.accounting);
  field("enforced", controller.enforced);
  field("enforce_partition_limits", controller.enforce_partition_limits);
  field("min_job_age_s", controller.min_job_age);
  field("kill_wait_s", controller.kill_wait);
  field("resume_timeout_s", controller.resume_timeout);
  field("private_data", controller.private_data);
  field("max_memory_per_cpu_mb", controller.max_memory_per_cpu);
  field("max_memory_per_node_mb", controller.max_memory_per_node);
  field("max_array_size", controller.max_array_size);
  field("priority_weights", controller.priority_weights);
}

template <typename Visitor>
void describe(Visitor& field, is<planner::Cluster> auto& cluster) {
  field("taken_at", cluster.taken_at);
  field("user", cluster.user);
  field("controller", cluster.controller);
  field("nodes", cluster.nodes);
  field("partitions", cluster.partitions);
  field("qos", cluster.qos);
  field("associations", cluster.associations);
  field("reservations", cluster.reservations);
  field("jobs", cluster.jobs);
  field("unanswered", cluster.unanswered);
}

}  // namespace rv::cli
