// A run as JSON: the same object in up, run, ps, show and stop (docs/json.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "monitor/jobs/run_view.h"

namespace rv::cli {

nlohmann::ordered_json run_json(const monitor::RunRecord& record, const monitor::RunView& view);

}  // namespace rv::cli
