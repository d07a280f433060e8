// The word that was probably meant.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rv::cli {

/// Letters to insert, drop, change or swap with a neighbour to get from one word to the other.
int edit_distance(std::string_view from, std::string_view to);

/// The nearest known word, if it is near enough to be a slip: one edit for short words, a third of the letters for
/// longer ones. The first of equally near ones.
std::optional<std::string> did_you_mean(std::string_view word, std::span<const std::string> known);

/// "; did you mean "up"?", or nothing.
std::string suggestion(std::string_view word, std::span<const std::string> known);

}  // namespace rv::cli
