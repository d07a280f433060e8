// The environment of Slurm's commands.
#pragma once

#include <string>
#include <vector>

namespace rv::slurm {

/// For queries (squeue, scontrol, sacct, sacctmgr): this process's environment without variables that would change the
/// output or the query (SBATCH_*, SALLOC_*, SRUN_*, SQUEUE_*, SINFO_*, SACCT_*, SPRIO_*, SCANCEL_*, SCONTROL_*, and
/// SLURM_* except SLURM_CONF and SLURM_JWT). It adds LC_ALL=C, SLURM_TIME_FORMAT=%s and SLURM_BITSTR_LEN=0, and does
/// not change TZ. In a federation the answers are about this cluster only.
std::vector<std::string> query_environment();

/// For sbatch and srun, whose environment the job inherits: the same variables are removed, and none are added, so that
/// the user's locale, conda environment and the like reach the job.
std::vector<std::string> submit_environment();

}  // namespace rv::slurm
