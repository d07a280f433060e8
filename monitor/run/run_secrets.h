// The user's own variables of one run: `environment` (0600) in its folder, shell text that the job sources before the
// user's command. It is there before anything is submitted and gone when nothing of the run can start any more, so that
// the values are in no script, no argument and nothing that Slurm keeps.
#pragma once

#include <string>
#include <vector>

#include "monitor/run/run_folder.h"

namespace rv::monitor {

/// The file's first line, by which the names are known without running it: "rv_own_names=(A B)\n".
std::string names_line(const std::vector<std::string>& names);

void write_environment(const RunFolder& folder, const std::string& script);
/// The names in it; none where there is no such file.
std::vector<std::string> environment_names(const RunFolder& folder);
/// Removes the file, and what connections of ssh that were killed have left of its values.
void remove_environment(const RunFolder& folder);

}  // namespace rv::monitor
