#include "slurm/environment.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/variable.h"

namespace rv::slurm {
namespace {

constexpr std::array<std::string_view, 10> changing_prefixes{"SBATCH_", "SALLOC_", "SRUN_",    "SQUEUE_",   "SINFO_",
                                                             "SACCT_",  "SPRIO_",  "SCANCEL_", "SCONTROL_", "SLURM_"};
// Where the cluster is and who asks: without these the commands would talk to another cluster or to none.
constexpr std::array<std::string_view, 2> kept{"SLURM_CONF=", "SLURM_JWT="};

bool changes_slurm(std::string_view variable) {
  const auto starts = [&](std::string_view prefix) { return variable.starts_with(prefix); };
  return std::any_of(changing_prefixes.begin(), changing_prefixes.end(), starts) &&
         std::none_of(kept.begin(), kept.end(), starts);
}

}  // namespace

std::vector<std::string> submit_environment() {
  auto variables = all_variables();
  std::erase_if(variables, changes_slurm);
  return variables;
}

std::vector<std::string> query_environment() {
  auto variables = submit_environment();
  std::erase_if(variables, [](const std::string& variable) { return variable.starts_with("LC_ALL="); });
  variables.insert(variables.end(), {"LC_ALL=C", "SLURM_TIME_FORMAT=%s", "SLURM_BITSTR_LEN=0"});
  // A federation may show every cluster's nodes and jobs as one (FederationParameters=fed_display).
  variables.insert(variables.end(), {"SCONTROL_LOCAL=1", "SQUEUE_LOCAL=1", "SPRIO_LOCAL=1", "SACCT_LOCAL=1"});
  return variables;
}

}  // namespace rv::slurm
