// The word that was probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv {

/// "; did you mean "up"?" for the nearest known word that is near enough (base/nearest_word.h), or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace rv
