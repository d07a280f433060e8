#include "slurm/parse/job_defaults.h"

#include "slurm/parse/field.h"

namespace rv::slurm {

JobDefaults parse_job_defaults(std::string_view text) {
  JobDefaults defaults;
  for (const std::string& entry : list_of(text)) {
    const std::string_view pair = entry;
    const auto equals = pair.find('=');
    const auto number = equals == std::string_view::npos ? std::nullopt : parse_number(pair.substr(equals + 1));
    if (!number || *number <= 0) continue;
    if (pair.starts_with("DefMemPerGPU=")) defaults.memory_per_gpu = Mebibytes{*number};
    if (pair.starts_with("DefCpuPerGPU=")) defaults.cpus_per_gpu = static_cast<int>(*number);
  }
  return defaults;
}

}  // namespace rv::slurm
