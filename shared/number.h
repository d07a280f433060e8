// A text that is a number.
#pragma once

#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

namespace rv {

/// The number that the whole text is, as std::from_chars reads it: no blanks and no "+" before it. Nothing for any
/// other text, and for a number outside `least` to `most`, such as infinity and NaN.
template <typename Number>
std::optional<Number> number_in(std::string_view text, Number least = std::numeric_limits<Number>::lowest(),
                                Number most = std::numeric_limits<Number>::max()) {
  Number value{};
  const auto* const last = text.data() + text.size();
  const auto [end, fault] = std::from_chars(text.data(), last, value);
  if (fault != std::errc() || end != last || !(value >= least && value <= most)) return std::nullopt;
  return value;
}

}  // namespace rv
