#include <algorithm>

#include "slurm/parse/field.h"
#include "slurm/parse/gres_text.h"
#include "slurm/parse/job_defaults.h"
#include "slurm/parse/key_value.h"
#include "slurm/parse/parse_cluster.h"

namespace rv::slurm {
namespace {

constexpr std::int64_t most_jobs_per_cpu = 32767;  // MAX_SHARED less a bit: slurm.conf(5), OverSubscribe

std::optional<int> limit(std::string_view text) {
  const auto number = parse_number(text);
  if (!number) return std::nullopt;  // UNLIMITED
  return static_cast<int>(*number);
}

std::optional<Mebibytes> memory_limit(std::string_view text) {
  const auto number = parse_number(text);
  if (!number || *number <= 0) return std::nullopt;
  return Mebibytes{*number};
}

std::vector<planner::DatabaseName> all_or_names(std::string_view text) {
  return text == "ALL" ? std::vector<planner::DatabaseName>() : names_of(text);
}

std::vector<std::string> all_or_list(std::string_view text) {
  return text == "ALL" ? std::vector<std::string>() : list_of(text);
}

// "CPU=1.0,Mem=0.25G,GRES/gpu=2.0": memory weights are per MB unless they say otherwise.
std::map<planner::DatabaseName, double> parse_billing_weights(std::string_view text) {
  std::map<planner::DatabaseName, double> weights;
  for (const auto part : split_outside_brackets(text, ',')) {
    const auto equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    const planner::DatabaseName name = part.substr(0, equals);
    std::string value(part.substr(equals + 1));
    double factor = 1.0;
    if (name == planner::DatabaseName("mem")) {
      const char unit = value.empty() ? '\0' : value.back();
      factor = unit == 'G'   ? 1.0
               : unit == 'T' ? 1.0 / 1024
               : unit == 'P' ? 1.0 / 1024 / 1024
               : unit == 'K' ? 1024.0 * 1024
                             : 1024.0;
    }
    try {
      weights[name] = std::stod(value) * factor;
    } catch (const std::exception&) {
      continue;  // not a number: no weight is better than a wrong one
    }
  }
  return weights;
}

// "YES:4", "FORCE:2": how many jobs a CPU may have at once.
void take_sharing(planner::Partition& partition, std::string_view text) {
  partition.forced_sharing = text.starts_with("FORCE");
  if (!partition.forced_sharing && !text.starts_with("YES")) return;
  const auto colon = text.find(':');
  const auto count = colon == std::string_view::npos ? std::nullopt : parse_number(text.substr(colon + 1));
  partition.jobs_per_cpu = static_cast<int>(std::clamp<std::int64_t>(count.value_or(4), 1, most_jobs_per_cpu));
}

planner::Partition parse_partition(const KeyValues& values) {
  planner::Partition partition;
  partition.name = values["PartitionName"];
  partition.is_default = values["Default"] == "YES";
  partition.state = values["State"];
  partition.up = partition.state == "UP";
  partition.max_time = parse_span(values["MaxTime"]);
  partition.default_time = parse_span(values["DefaultTime"]);
  partition.max_nodes = limit(values["MaxNodes"]);
  partition.min_nodes = limit(values["MinNodes"]);
  partition.total_nodes = static_cast<int>(parse_number(values["TotalNodes"]).value_or(0));
  partition.max_cpus_per_node = limit(values["MaxCPUsPerNode"]);
  partition.max_cpus_per_socket = limit(values["MaxCPUsPerSocket"]);
  partition.max_memory_per_node = memory_limit(values["MaxMemPerNode"]);
  partition.max_memory_per_cpu = memory_limit(values["MaxMemPerCPU"]);
  partition.default_memory_per_node = memory_limit(values["DefMemPerNode"]);
  partition.default_memory_per_cpu = memory_limit(values["DefMemPerCPU"]);
  const JobDefaults defaults = parse_job_defaults(values["JobDefaults"]);
  partition.default_memory_per_gpu = defaults.memory_per_gpu;
  partition.default_cpus_per_gpu = defaults.cpus_per_gpu;
  partition.allow_accounts = all_or_names(values["AllowAccounts"]);
  partition.deny_accounts = names_of(values["DenyAccounts"]);
  partition.allow_groups = all_or_list(values["AllowGroups"]);
  partition.allow_qos = all_or_names(values["AllowQos"]);
  partition.deny_qos = names_of(values["DenyQos"]);
  if (!is_nothing(values["QoS"])) partition.qos = values["QoS"];
  partition.billing_weights = parse_billing_weights(values["TRESBillingWeights"]);
  partition.priority_tier = static_cast<int>(parse_number(values["PriorityTier"]).value_or(1));
  partition.priority_job_factor = static_cast<int>(parse_number(values["PriorityJobFactor"]).value_or(1));
  partition.preempt_mode = values["PreemptMode"];
  partition.grace_time = std::chrono::seconds(parse_number(values["GraceTime"]).value_or(0));
  partition.root_only = values["RootOnly"] == "YES";
  partition.disable_root_jobs = values["DisableRootJobs"] == "YES";
  partition.hidden = values["Hidden"] == "YES";
  // 26.05 says all of it under one key (part_exclusive_string()). A job of a TOPO partition has its whole block.
  const auto exclusive = values["Exclusive"];
  partition.exclusive = values["OverSubscribe"].starts_with("EXCLUSIVE") || exclusive == "NODE" ||
                        exclusive == "TOPO" || exclusive == "YES";
  partition.exclusive_user = values["ExclusiveUser"] == "YES" || exclusive == "USER";
  partition.least_loaded = values["LLN"] == "YES";
  take_sharing(partition, values["OverSubscribe"]);
  partition.requires_reservation = values["ReqResv"] == "YES";
  return partition;
}

}  // namespace

std::vector<planner::Partition> parse_partitions(std::string_view text) {
  std::vector<planner::Partition> partitions;
  while (!text.empty()) {
    const auto record = next_record(text, "PartitionName=");
    if (!record.empty()) partitions.push_back(parse_partition(KeyValues(record)));
  }
  return partitions;
}

}  // namespace rv::slurm
