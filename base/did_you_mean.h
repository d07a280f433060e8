// The word that was probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv {

/// "; did you mean "up"?" for the nearest known word that is near enough (base/nearest_word.h), or nothing. `prefix`
/// stands before that word: "--" for the name of an option.
std::string suggestion(std::string_view word, const std::vector<std::string>& known, std::string_view prefix = "");

}  // namespace rv
