// The suggestion in a message about an unknown word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv {

/// Returns "; did you mean "up"?" with the nearest known word, or "; did you mean "a" or "b"?" if two are equally near
/// and neither begins with the other. Empty if no known word is near enough (base/nearest_word.h). `prefix` is printed
/// before each suggestion: "--" for an option.
std::string suggestion(std::string_view word, const std::vector<std::string>& known, std::string_view prefix = "");

}  // namespace rv
