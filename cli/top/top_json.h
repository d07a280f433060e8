// The state of rv top as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cli/top/top_state.h"

namespace rv::cli::top {

nlohmann::ordered_json top_json(const Known& known);

}  // namespace rv::cli::top
