// Members of a report's objects, any of which may be missing.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace rv::accept {

/// Nothing where it is not there, or no number.
std::optional<double> number_of(const nlohmann::ordered_json& json, const char* key);

/// Empty where it is not there, or no text.
std::string text_of(const nlohmann::ordered_json& json, const char* key);

}  // namespace rv::accept
