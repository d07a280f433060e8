// The elements of an array as a table: what rv show prints.
#pragma once

#include <string>

#include "base/os/terminal.h"
#include "monitor/jobs/run_view.h"

namespace rv::cli {

/// One row an element, by index, with a final newline. Of more than 100 elements, neighbours that are done, waiting or
/// not started share a row. `now`: for the time that a running element has taken. `view` is of an array.
std::string element_table(const monitor::RunView& view, slurm::TimePoint now, const os::Terminal& terminal);

}  // namespace rv::cli
