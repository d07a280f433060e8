// Members of what kubectl answers, any of which may be missing.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace rv::kubernetes {

using Json = nlohmann::ordered_json;

/// Null where it is not there.
const Json& at(const Json& json, const char* key);

/// Empty where it is not there, or no text.
std::string text(const Json& json, const char* key);

}  // namespace rv::kubernetes
