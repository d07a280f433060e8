// Members of JSON objects that come from elsewhere, any of which may be missing, or of another kind.
#pragma once

#include <optional>
#include <string>

namespace rv {

/// Null if it is missing, or `json` is not an object.
template <class Json>
const Json& member_of(const Json& json, const char* key) {
  static const Json nothing;
  const auto found = json.find(key);
  return found == json.end() ? nothing : *found;
}

/// Nothing where it is not there, or no number.
template <class Json>
std::optional<double> member_number(const Json& json, const char* key) {
  const auto& value = member_of(json, key);
  return value.is_number() ? std::optional(value.template get<double>()) : std::nullopt;
}

/// Empty where it is not there, or no text.
template <class Json>
std::string member_text(const Json& json, const char* key) {
  const auto& value = member_of(json, key);
  return value.is_string() ? value.template get<std::string>() : std::string();
}

}  // namespace rv
