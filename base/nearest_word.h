// Finds known words that are similar to an unknown one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rv {

/// Returns how many letters must be inserted, removed, changed, or swapped with a neighbour to turn one word into the
/// other.
int edit_distance(std::string_view from, std::string_view to);

/// Returns at most `most` known words that `word` may stand for, nearest first; equally near words keep the order of
/// `known`. A known word is near enough if it differs by one edit, or by up to a third of the letters of `word`, or if
/// one of the two words begins with the other. Letter case is ignored.
std::vector<std::string> nearest_words(std::string_view word, const std::vector<std::string>& known,
                                       std::size_t most = 3);

}  // namespace rv
