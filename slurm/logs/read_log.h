// Reads logs of finished jobs: SWF, sacct --parsable2, and CSV with named columns.
#pragma once

#include <string>
#include <string_view>

#include "planner/past/job_log.h"

namespace rv::slurm {

/// Reads the log of any machine; the format is recognised by its content. Rows that can't be used are counted in
/// JobLog::flaws. `name`: the file, for messages. Throws Error(usage) for an empty or binary file, for a table without
/// a column for times or sizes, and for a log without a single job that started.
planner::JobLog read_log(std::string_view text, const std::string& name);

}  // namespace rv::slurm
