// Which cluster Slurm's commands talk to from here, without asking one of them.
#pragma once

#include <string>

namespace rv::slurm {

/// 16 hex digits, made of the names that slurm.conf gives the cluster and its controllers, so that a home that serves
/// two clusters can tell them apart even where both have that file in the same place. The file is looked for as Slurm
/// does: $SLURM_CONF, where Slurm is installed, the copy of a configless login node. Where there is none, made of what
/// leads to the configuration instead (SLURM_CONF_SERVER, the DNS domain). Edits that leave the names alone don't
/// change it. `root`: the folder that holds /etc and /run, for tests.
std::string cluster_key(const std::string& root = "");

}  // namespace rv::slurm
