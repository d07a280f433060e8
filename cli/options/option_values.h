// The text of an option → a value, or an Error(usage) that names the option, the text and valid forms.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_size.h"

namespace rv::cli {

/// The largest number of GPUs, nodes, cores or array elements that an option takes; it only catches typing errors.
inline constexpr int most_counted = 100'000;

/// A whole number from `least` to `most`, digits only.
int count_value(std::string_view option, std::string_view text, int least = 1, int most = most_counted);

/// The same as a reader with bounds, for options that are values from the start (value_option.h).
inline auto count_from(int least, int most) {
  return
      [least, most](std::string_view option, std::string_view text) { return count_value(option, text, least, most); };
}

/// A port of TCP, 1 to 65535.
int port_value(std::string_view option, std::string_view text);

/// A span of time above zero, in any form that --time takes.
std::chrono::seconds duration_value(std::string_view option, std::string_view text);

/// The same; nothing for `word`, such as "never".
std::optional<std::chrono::seconds> duration_or(std::string_view word, std::string_view option, std::string_view text);

/// A size with its unit: 40G, 512M. A bare number is rejected, and not read as MiB.
Mebibytes memory_value(std::string_view option, std::string_view text);

/// The same for the memory of a node, where 0 means all of it.
Mebibytes node_memory_value(std::string_view option, std::string_view text);

/// "a,b" → a b, blanks around the commas dropped; an empty element is an error.
std::vector<std::string> list_value(std::string_view option, std::string_view text);

/// "n1,n[3-5]" → n1 n3 n4 n5; one host at least.
std::vector<std::string> hosts_value(std::string_view option, std::string_view text);

/// The same without order: each host once, by name.
std::vector<std::string> host_set_value(std::string_view option, std::string_view text);

/// A name or expression for Slurm: one line, no control characters.
std::string line_value(std::string_view option, std::string_view text);

}  // namespace rv::cli
