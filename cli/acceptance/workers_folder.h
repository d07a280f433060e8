// Where the workers are that an acceptance runs.
#pragma once

#include <string>

#include "settings/settings.h"

namespace rv::cli {

/// `given` (--workers), else the settings' `workers`, else beside this rv, or in ../workers of a build folder: the
/// first that holds them. Absolute. Throws Error(usage) where none does.
std::string workers_folder(const std::string& given, const Settings& settings);

}  // namespace rv::cli
