// Numbers of tasks as text: "1-40,57".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::monitor {

/// The numbers in ascending order, each once; "-" for none.
std::string numbers_text(std::vector<int> numbers);

/// The numbers of such a text; nothing for another text, and for a number outside 1 to `most`.
std::optional<std::vector<int>> numbers_in(std::string_view text, int most);

}  // namespace rv::monitor
