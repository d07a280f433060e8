// A judged stress run as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "reports/stress/judgement.h"

namespace rv::stress {

/// docs/json.md has its keys. `where`: the run's ID or the folder's name.
nlohmann::ordered_json to_json(const Judgement& judgement, const std::string& where);

}  // namespace rv::stress
