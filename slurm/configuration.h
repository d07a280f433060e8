// Whether Slurm's commands have a slurm.conf to go by.
#pragma once

#include <string>
#include <string_view>

namespace rv::slurm {

/// What is wrong where SLURM_CONF names a file that can't be read: "SLURM_CONF names /x, which can't be read: …". Empty
/// where it can, or where SLURM_CONF is not set (then Slurm knows other ways). Slurm's commands themselves try for a
/// minute before they say so.
std::string unreadable_configuration();

/// True for the words of a command that found none anywhere: no file and no controller that would send one.
bool says_no_configuration(std::string_view complaint);

}  // namespace rv::slurm
