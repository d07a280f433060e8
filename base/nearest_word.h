// What was probably meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rv {

/// Letters to insert, drop, change, or swap with a neighbour to get from one word to the other.
int edit_distance(std::string_view from, std::string_view to);

/// The known words that are near enough to be meant by `word`, nearest first, at most `most`; of equally near ones the
/// earlier in `known` first. Near enough: one edit, or up to a third of the letters of a longer word; or `word` begins
/// a known word, or a known word begins it. Letter case does not count.
std::vector<std::string> nearest_words(std::string_view word, const std::vector<std::string>& known,
                                       std::size_t most = 3);

}  // namespace rv
