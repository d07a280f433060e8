// Reads members of JSON objects from outside this process, which may be missing or have another type.
#pragma once

#include <optional>
#include <string>

namespace rv {

/// Returns the member; null if it is missing or `json` is not an object.
template <class Json>
const Json& member_of(const Json& json, const char* key) {
  static const Json nothing;
  const auto found = json.find(key);
  return found == json.end() ? nothing : *found;
}

/// Returns nothing if the member is missing or is not a number.
template <class Json>
std::optional<double> member_number(const Json& json, const char* key) {
  const auto& value = member_of(json, key);
  return value.is_number() ? std::optional(value.template get<double>()) : std::nullopt;
}

/// Returns an empty string if the member is missing or is not a string.
template <class Json>
std::string member_text(const Json& json, const char* key) {
  const auto& value = member_of(json, key);
  return value.is_string() ? value.template get<std::string>() : std::string();
}

}  // namespace rv
