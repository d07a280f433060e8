// Identifies the cluster that Slurm's commands talk to, without running any of them.
#pragma once

#include <string>

namespace rv::slurm {

/// 16 hex digits: a hash of the names of the cluster and its controllers in slurm.conf. It tells two clusters apart
/// that share one home folder, even if both have the file in the same place. The file is searched as Slurm does:
/// $SLURM_CONF, where Slurm is installed, the copy of a configless login node. Without a slurm.conf, a hash of
/// SLURM_CONF_SERVER or the DNS domain. Other edits of the file don't change the key. `root`: the folder that holds
/// /etc and /run, for tests.
std::string cluster_key(const std::string& root = "");

}  // namespace rv::slurm
