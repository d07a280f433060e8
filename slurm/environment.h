// The environment that Slurm's commands get.
#pragma once

#include <string>
#include <vector>

namespace rv::slurm {

/// For questions (squeue, scontrol, sacct, sacctmgr): this process's environment without any variable that would change
/// output or request (SBATCH_*, SALLOC_*, SRUN_*, SQUEUE_*, SINFO_*, SACCT_*, SPRIO_*, SCANCEL_*, SCONTROL_*, and
/// SLURM_* but for SLURM_CONF and SLURM_JWT), with LC_ALL=C, SLURM_TIME_FORMAT=%s and SLURM_BITSTR_LEN=0. TZ is left as
/// it is. Of a federation the answers are about this cluster alone.
std::vector<std::string> query_environment();

/// For sbatch and srun, whose environment the job inherits: the same variables removed, nothing added, so that the
/// user's locale, conda environment and the like reach the job.
std::vector<std::string> submit_environment();

}  // namespace rv::slurm
