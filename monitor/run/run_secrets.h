// The user's own variables of one run. The file `environment` (0600) in the run folder is shell text that the job
// sources before the user's command, so the values are not in a script, an argument or Slurm's records. rv writes the
// file before it submits the first job, and removes it when no job of the run can start any more.
#pragma once

#include <string>
#include <vector>

#include "monitor/run/run_folder.h"

namespace rv::monitor {

/// The first line of the file, from which the names are read without running the file: "rv_own_names=(A B)\n".
std::string names_line(const std::vector<std::string>& names);

void write_environment(const RunFolder& folder, const std::string& script);
/// Returns the names of the variables; none if there is no such file.
std::vector<std::string> environment_names(const RunFolder& folder);
/// Removes the file, and the copies of its values that earlier versions of rv wrote for ssh connections.
void remove_environment(const RunFolder& folder);

}  // namespace rv::monitor
