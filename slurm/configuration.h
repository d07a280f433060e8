// Checks whether Slurm's commands find a slurm.conf.
#pragma once

#include <string>
#include <string_view>

namespace rv::slurm {

/// Returns "SLURM_CONF names /x, which can't be read: …" if that is so. Empty if the file can be read, or if SLURM_CONF
/// is not set (Slurm then searches elsewhere). Slurm's commands try for a minute before they report this.
std::string unreadable_configuration();

/// Whether this is the message of a command that found no slurm.conf: no file, and no controller that sends one.
bool says_no_configuration(std::string_view complaint);

}  // namespace rv::slurm
