// The history of the site's GPUs: $RV_HOME/accept/gpus/UUID.jsonl, a line for every acceptance.
#pragma once

#include <string>
#include <vector>

#include "reports/accept/gpu_history.h"

namespace rv::accept {

/// Appends one line for each record. An acceptance that is judged again adds none: a GPU has one line per run. Throws
/// Error where nothing can be written.
void keep_history(const std::string& home, const std::vector<accept::GpuRecord>& records);

/// The records of the GPU with this UUID.
std::vector<accept::GpuRecord> history_of(const std::string& home, const std::string& uuid);

/// All records of GPUs whose UUID begins with `which` or whose node it is; empty: of all.
std::vector<accept::GpuRecord> read_history(const std::string& home, const std::string& which);

}  // namespace rv::accept
