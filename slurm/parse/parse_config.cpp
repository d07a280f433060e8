#include <map>

#include "base/trimmed.h"
#include "slurm/parse/field.h"
#include "slurm/parse/job_defaults.h"
#include "slurm/parse/parse_cluster.h"

namespace rv::slurm {
namespace {

// "300 sec" → 300 s
std::chrono::seconds seconds_of(std::string_view text, std::chrono::seconds otherwise) {
  const auto number = parse_number(text.substr(0, text.find(' ')));
  return number ? std::chrono::seconds(*number) : otherwise;
}

std::optional<Mebibytes> memory_limit(std::string_view text) {
  const auto number = parse_number(text);
  if (!number || *number <= 0) return std::nullopt;
  return Mebibytes{*number};
}

// "Key = value" lines, without those whose value is a word for nothing.
std::map<std::string_view, std::string_view> values_of(std::string_view text) {
  std::map<std::string_view, std::string_view> values;
  while (!text.empty()) {
    const auto line = next_line(text);
    const auto equals = line.find('=');
    // The first: plugins' own sections come behind the controller's.
    if (equals != std::string_view::npos)
      values.emplace(trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1)));
  }
  std::erase_if(values, [](const auto& entry) { return is_nothing(entry.second); });
  return values;
}

std::string_view value_of(const std::map<std::string_view, std::string_view>& values, std::string_view key) {
  const auto found = values.find(key);
  return found == values.end() ? std::string_view() : found->second;
}

}  // namespace

ControllerIdentity parse_identity(std::string_view text) {
  const auto values = values_of(text);
  return {.cluster_name = value_of(values, "ClusterName"),
          .boot_time = parse_time(value_of(values, "BOOT_TIME")),
          .min_job_age = seconds_of(value_of(values, "MinJobAge"), std::chrono::seconds(0))};
}

std::string parse_federation(std::string_view text) {
  constexpr std::string_view before = "Federation:";
  const auto line = next_line(text);
  return line.starts_with(before) ? std::string(trimmed(line.substr(before.size()))) : "";
}

planner::ControllerSettings parse_config(std::string_view text) {
  const auto values = values_of(text);
  const auto value = [&](std::string_view key) { return value_of(values, key); };

  planner::ControllerSettings settings;
  settings.version = value("SLURM_VERSION");
  settings.cluster_name = value("ClusterName");
  for (const auto& parameter : list_of(value("SchedulerParameters"))) {
    const auto equals = parameter.find('=');
    settings.scheduler_parameters[parameter.substr(0, equals)] =
        equals == std::string::npos ? "" : parameter.substr(equals + 1);
  }
  settings.scheduler_type = value("SchedulerType");
  settings.priority_type = value("PriorityType");
  settings.priority_flags = list_of(value("PriorityFlags"));
  settings.preempt_type = value("PreemptType");
  settings.preempt_mode = value("PreemptMode");
  settings.preempt_exempt_time = parse_span(value("PreemptExemptTime")).value_or(settings.preempt_exempt_time);
  settings.select_type_parameters = value("SelectTypeParameters");
  settings.requeue_by_default = value("JobRequeue") != "0";
  settings.accounting = value("AccountingStorageType") == "accounting_storage/slurmdbd";
  settings.enforced = list_of(value("AccountingStorageEnforce"));
  std::erase(settings.enforced, "none");
  settings.enforce_partition_limits = value("EnforcePartLimits");
  settings.min_job_age = seconds_of(value("MinJobAge"), settings.min_job_age);
  settings.kill_wait = seconds_of(value("KillWait"), settings.kill_wait);
  for (const auto& option : list_of(value("AuthInfo"))) {
    constexpr std::string_view life = "cred_expire=";
    if (!option.starts_with(life)) continue;
    settings.credential_life = seconds_of(std::string_view(option).substr(life.size()), settings.credential_life);
  }
  settings.resume_timeout = seconds_of(value("ResumeTimeout"), settings.resume_timeout);
  settings.private_data = list_of(value("PrivateData"));
  std::erase(settings.private_data, "none");
  settings.max_memory_per_cpu = memory_limit(value("MaxMemPerCPU"));
  settings.max_memory_per_node = memory_limit(value("MaxMemPerNode"));
  settings.default_memory_per_cpu = memory_limit(value("DefMemPerCPU"));
  settings.default_memory_per_node = memory_limit(value("DefMemPerNode"));
  const JobDefaults defaults = parse_job_defaults(value("JobDefaults"));
  settings.default_memory_per_gpu = defaults.memory_per_gpu;
  settings.default_cpus_per_gpu = defaults.cpus_per_gpu;
  settings.topology_plugin = value("TopologyPlugin");
  if (const auto size = parse_number(value("MaxArraySize"))) settings.max_array_size = static_cast<int>(*size);
  settings.licenses.emplace();
  for (const auto& licence : list_of(value("Licenses"))) {
    const auto colon = licence.find_first_of(":*");
    const auto total = colon == std::string::npos ? 1 : parse_number(licence.substr(colon + 1)).value_or(1);
    (*settings.licenses)[licence.substr(0, colon)] = total;
  }
  constexpr std::string_view weight = "PriorityWeight";
  for (const auto& [key, amount] : values) {
    const auto number = parse_number(amount);
    if (key.starts_with(weight) && number) settings.priority_weights[std::string(key.substr(weight.size()))] = *number;
  }
  return settings;
}

}  // namespace rv::slurm
