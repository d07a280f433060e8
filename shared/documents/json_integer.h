// Integers of JSON that comes from elsewhere. nlohmann's get<int>() of 1e300 is undefined, and that of 2^40 is another
// number.
#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "shared/documents/json_dump.h"

namespace rv {

/// Nothing where `value` is not an integer, as 1e3 is not, or one that `Integer` cannot hold.
template <std::integral Integer, class Json>
std::optional<Integer> integer_in(const Json& value) {
  const auto fitting = [](auto number) {
    return std::in_range<Integer>(number) ? std::optional(static_cast<Integer>(number)) : std::nullopt;
  };
  if (value.is_number_unsigned()) return fitting(value.template get<std::uint64_t>());
  return value.is_number_integer() ? fitting(value.template get<std::int64_t>()) : std::nullopt;
}

/// Nothing where `json` is not an object, or does not have such an integer.
template <std::integral Integer, class Json>
std::optional<Integer> member_integer(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() ? std::nullopt : integer_in<Integer>(*found);
}

/// As integer_in(); throws nlohmann's out_of_range.
template <std::integral Integer, class Json>
Integer integer_of(const Json& value) {
  if (const auto number = integer_in<Integer>(value)) return *number;
  throw nlohmann::detail::out_of_range::create(406, "not an integer of the expected size: " + ascii_json_dump(value),
                                               &value);
}

/// Throws nlohmann's exceptions where `json` has no `key`, or another kind of value there.
template <std::integral Integer, class Json>
Integer integer_at(const Json& json, const char* key) {
  return integer_of<Integer>(json.at(key));
}

/// `missing` where the object `json` has no `key`; throws as integer_at() does.
template <std::integral Integer, class Json>
Integer integer_or(const Json& json, const char* key, Integer missing) {
  const auto found = json.find(key);
  return found == json.end() ? missing : integer_of<Integer>(*found);
}

/// Of an array; throws nlohmann's exceptions where one of its values is not an integer of this size.
template <std::integral Integer, class Json>
std::vector<Integer> integers_of(const Json& values) {
  if (!values.is_array()) throw nlohmann::detail::type_error::create(302, "not an array", &values);
  std::vector<Integer> integers;
  for (const auto& value : values) integers.push_back(integer_of<Integer>(value));
  return integers;
}

/// None where `json` has no `key`; throws as integers_of() does.
template <std::integral Integer, class Json>
std::vector<Integer> integers_or_none(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() ? std::vector<Integer>() : integers_of<Integer>(*found);
}

}  // namespace rv
