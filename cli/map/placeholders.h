// The command of rv map with a task's value in it. {} is the value, {#} the task's number, {name} a member of the
// value, which is a JSON object then; {{}}, {{#}} and {{name}} are the same texts without a meaning. Braces with
// anything else between them are left as they are.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rv::cli {

/// The members of a value, by name, as text.
using Fields = std::map<std::string, std::string, std::less<>>;

/// The names of the command's named placeholders, each once, in the order of their first use.
std::vector<std::string> named_placeholders(const std::vector<std::string>& command);

/// Whether a word has a placeholder of any kind.
bool has_placeholder(const std::string& word);

/// The command for one task. Each word is filled by itself, so a value never becomes several arguments. Without a
/// placeholder in any word the value is the last argument. A name that is missing in `fields` throws std::out_of_range.
std::vector<std::string> filled_command(const std::vector<std::string>& command, std::string_view value, int task,
                                        const Fields& fields);

}  // namespace rv::cli
