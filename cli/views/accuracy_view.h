// How right predicted waits were, for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "monitor/jobs/observed_wait.h"

namespace rv::cli {

/// A few lines, or one line if there is no data yet.
std::string accuracy_text(const std::vector<monitor::ObservedWait>& observed);

/// {"runs", "predicted", "median_error_s", …, "observed": […]}; figures about no run are null.
nlohmann::ordered_json accuracy_json(const std::vector<monitor::ObservedWait>& observed);

}  // namespace rv::cli
