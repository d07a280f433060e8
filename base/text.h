// Names and lists of words as people type and read them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv {

/// ASCII letters in lower case; other bytes unchanged.
std::string lower(std::string_view text);

/// For comparing GPU names: lower case, without blanks, '-', '_' and the maker's names in front ("NVIDIA GeForce RTX
/// 3090" and "rtx_3090" are both "rtx3090"). Dots stay: "1g.10gb".
std::string comparable(std::string_view name);

/// A string from elsewhere on one line: control characters and bytes that are not UTF-8 become "?" (terminal_text.h).
std::string one_line(std::string_view text);

/// "a, b, c".
std::string listed(const std::vector<std::string>& words);

/// "a,b,c", as Slurm takes lists.
std::string joined(const std::vector<std::string>& words);

/// "1 GPU", "4 GPUs": the plural is the noun and an s.
std::string counted(long long count, std::string_view noun);

bool contains(const std::vector<std::string>& words, std::string_view word);

/// The last lines with something in them, `most` at most, the oldest first, without their ends.
std::vector<std::string_view> last_lines(std::string_view text, std::size_t most);

}  // namespace rv
