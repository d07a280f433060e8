// The folders that may contain the programs that run on the nodes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/settings/settings.h"

namespace rv {

/// Beside this rv, in ../workers of a build folder, in ../libexec/rv: in the order in which they count.
std::vector<std::filesystem::path> places_beside_rv();

/// The worker of this name, absolute: in the settings' `workers`, else beside rv. Empty where it is in none of them.
std::string worker_program(const Settings& settings, const std::string& name);

/// rv-sample in the same way.
std::string gpu_sampler(const Settings& settings);

}  // namespace rv
