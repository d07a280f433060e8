// The values of rv map's tasks, from the command line, a file or stdin.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/map/placeholders.h"

namespace rv::cli {

/// The longest line of a task list.
inline constexpr std::size_t longest_value = std::size_t{1} << 20;

/// The lines, also the empty ones, without a carriage return at their end. Throws Error(usage) for a NUL byte and for a
/// line longer than longest_value. `source`: the name of the list, for messages.
std::vector<std::string> lines_of(std::string_view text, const std::string& source);

/// The members of a JSON object as text: strings as they are, other values as JSON. Nothing for another text.
std::optional<Fields> fields_of(const std::string& value);

/// Checks that each task can be started. An empty line of a list is not a task. Throws Error(usage) for an empty list;
/// for a value that is not a JSON object, or has not all names of the command, if it has names; and for an argument
/// longer than Linux accepts. `source`: the name of the list, whose lines the messages count; empty: the command line.
void check_tasks(const std::vector<std::string>& command, const std::vector<std::string>& values,
                 const std::string& source);

}  // namespace rv::cli
