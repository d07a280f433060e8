// Identifies the cluster that Slurm's commands talk to, without running any of them.
#pragma once

#include <string>

namespace rv::slurm {

/// Returns 16 hex digits: a hash of the names of the cluster and its controllers in slurm.conf. It distinguishes two
/// clusters that share one home folder, even if both have the file in the same place. Other edits of the file don't
/// change the key. The file is searched in Slurm's order: $SLURM_CONF, the folder of Slurm's installation, the copy of
/// a configless login node. Without a slurm.conf, it is a hash of SLURM_CONF_SERVER or the DNS domain. `root`: the
/// folder that has /etc and /run, for tests.
std::string cluster_key(const std::string& root = "");

}  // namespace rv::slurm
