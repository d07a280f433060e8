// What a command's options accept, as JSON Schema: for recipes, and for the tools of rv mcp.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace rv::cli {

/// The option that gives the command a variable, `--env NAME=VALUE`: in JSON and YAML, a mapping of names to values.
inline constexpr const char* variables_option = "env";

bool is_repeated(const CLI::Option& option);

/// A flag, which may take a value as well.
bool is_flag(const CLI::Option& option);

/// A flag that takes no value.
bool is_pure_flag(const CLI::Option& option);

/// The schema of one option or positional argument of `command`, by its name without dashes: its description and the
/// types of its value. Throws CLI::OptionNotFound.
nlohmann::ordered_json option_schema(const CLI::App& command, const std::string& name);

}  // namespace rv::cli
