#include "shared/documents/json_dump.h"

#include <nlohmann/json.hpp>

namespace rv {
namespace {

constexpr auto replace = nlohmann::json::error_handler_t::replace;

}  // namespace

std::string json_dump(const nlohmann::json& json, int indent) {
  return json.dump(indent, ' ', false, replace);
}

std::string json_dump(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, replace);
}

std::string json_plain(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : json_dump(value);
}

std::string ascii_json_dump(const nlohmann::json& json) {
  return json.dump(-1, ' ', true, replace);
}

std::string ascii_json_dump(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', true, replace);
}

}  // namespace rv
