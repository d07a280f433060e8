// JSON as text. Bytes that are not UTF-8, such as those of a path or of a program's output, become U+FFFD: nlohmann's
// default throws.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace rv {

/// On one line, or with `indent` blanks a level.
std::string json_dump(const nlohmann::json& json, int indent = -1);
std::string json_dump(const nlohmann::ordered_json& json, int indent = -1);

/// A string without its quotes, any other value as JSON on one line.
std::string json_plain(const nlohmann::json& value);

/// JSON on one line of ASCII, as "\u00e9", for readers that don't decode UTF-8.
std::string ascii_json_dump(const nlohmann::json& json);
std::string ascii_json_dump(const nlohmann::ordered_json& json);

}  // namespace rv
