// Where the workers are that an acceptance or a sweep runs.
#pragma once

#include <string>
#include <vector>

#include "cli/settings/settings.h"
#include "reports/accept/order.h"

namespace rv::cli {

/// `given` (the value of `option`), else the settings' `workers`, else beside this rv, or in ../workers of a build
/// folder: the first that holds these. Absolute. Throws Error(usage) where none does.
std::string workers_folder(const std::string& given, const Settings& settings, const std::vector<std::string>& workers,
                           const std::string& option = "--worker-folder");

/// Those that an acceptance may run: rv-io for io, the others for what measures GPUs.
std::vector<std::string> acceptance_workers(const accept::Order& order);

}  // namespace rv::cli
