// Formats and compares names and lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv {

/// Returns the text with ASCII letters in lower case; other bytes are unchanged.
std::string lower(std::string_view text);

/// Returns a GPU name in a form for comparison: lower case, without blanks, '-', '_' and the vendor's prefixes ("NVIDIA
/// GeForce RTX 3090" and "rtx_3090" are both "rtx3090"). Dots stay: "1g.10gb".
std::string comparable(std::string_view name);

/// Returns foreign text on one line: control characters and bytes that are not UTF-8 become "?" (terminal_text.h).
std::string one_line(std::string_view text);

/// Returns "a, b, c".
std::string listed(const std::vector<std::string>& words);

/// Returns "a,b,c", Slurm's form of a list.
std::string joined(const std::vector<std::string>& words);

/// Returns "1 GPU", "4 GPUs": the plural is the noun with an s.
std::string counted(long long count, std::string_view noun);

bool contains(const std::vector<std::string>& words, std::string_view word);

/// Returns up to `most` of the last lines that are not empty, in order, without line ends.
std::vector<std::string_view> last_lines(std::string_view text, std::size_t most);

}  // namespace rv
