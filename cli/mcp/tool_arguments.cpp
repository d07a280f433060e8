#include "cli/mcp/tool_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/recipe/option_schema.h"
#include "shared/documents/json_dump.h"

namespace rv::mcp {
namespace {

/// execve(2) accepts at most 128 KiB for one argument (MAX_ARG_STRLEN).
constexpr std::size_t longest_argument = 100'000;

constexpr const char* see_schema = "see the tool's inputSchema";

[[noreturn]] void refuse(const std::string& message, const std::string& advice = see_schema) {
  throw Error(message, advice, ExitCode::usage);
}

[[noreturn]] void refuse_type(const std::string& name, const Json& value, const char* expected) {
  refuse(fmt::format("argument \"{}\": expected {}, not {}", name, expected, value.type_name()));
}

std::string argument_text(const std::string& name, const Json& value) {
  if (!value.is_string() && !value.is_number()) refuse_type(name, value, "a string or a number");
  auto text = value.is_string() ? value.get<std::string>() : json_dump(value);
  if (text.size() <= longest_argument && text.find('\0') == std::string::npos) return text;
  refuse(fmt::format("argument \"{}\": a value has at most {} bytes, and no NUL byte", name, longest_argument),
         "write a script to a file, and run that");
}

/// For a positional argument.
std::string non_empty_text(const std::string& name, const Json& value) {
  if (!value.is_string()) refuse_type(name, value, "a string");
  if (value.get_ref<const std::string&>().empty()) refuse(fmt::format("argument \"{}\" is empty", name));
  return argument_text(name, value);
}

void add_variables(const Json& value, std::vector<std::string>& line) {
  if (!value.is_object()) refuse_type(cli::variables_option, value, "an object such as {\"SEED\": 1}");
  // Sorted: a token is valid for the variables in any order.
  const auto& variables = value.get_ref<const Json::object_t&>();
  const std::map<std::string, Json> sorted(variables.begin(), variables.end());
  for (const auto& [name, text] : sorted) {
    const auto variable = argument_text(cli::variables_option, name + "=" + argument_text(name, text));
    line.push_back(fmt::format("--{}={}", cli::variables_option, variable));
  }
}

void add_option(const std::string& name, const Json& value, const CLI::Option& option, std::vector<std::string>& line) {
  if (name == cli::variables_option) return add_variables(value, line);
  if (cli::is_pure_flag(option) && !value.is_boolean()) refuse_type(name, value, "true or false");
  if (cli::is_flag(option) && value.is_boolean()) {
    if (value.get<bool>()) line.push_back("--" + name);
    return;
  }
  const auto values = value.is_array() && cli::is_repeated(option) ? value : Json::array({value});
  for (const auto& single : values) line.push_back(fmt::format("--{}={}", name, argument_text(name, single)));
}

void check_names(const Tool& tool, const Json& arguments) {
  const auto known = argument_names(tool);
  for (const auto& item : arguments.items()) {
    if (contains(known, item.key())) continue;
    refuse(fmt::format("{} has no argument \"{}\"{}", tool.name, one_line(item.key()), suggestion(item.key(), known)),
           "the arguments are " + listed(known));
  }
  for (const auto& name : tool.required) {
    if (arguments.contains(name)) continue;
    refuse(fmt::format("{} needs the argument \"{}\"", tool.name, name),
           "the required arguments are " + listed(tool.required));
  }
}

/// "--tail=200" → "tail".
std::string option_name(const std::string& argument) {
  return argument.substr(2, argument.find('=') - 2);
}

}  // namespace

std::vector<std::string> command_line(const Tool& tool, const Json& arguments, const CLI::App& rv) {
  check_names(tool, arguments);
  const CLI::App& command = *rv.get_subcommand(tool.name);
  std::vector<std::string> line{tool.name, "--json"};
  for (const auto& argument : tool.defaults) {
    if (!arguments.contains(option_name(argument))) line.push_back(argument);
  }
  for (const auto& name : tool.options) {
    if (arguments.contains(name)) add_option(name, arguments.at(name), *command.get_option("--" + name), line);
  }
  if (tool.takes_run && arguments.contains(run_argument)) {
    line.insert(line.end(), {"--", non_empty_text(run_argument, arguments.at(run_argument))});
  }
  if (tool.takes_command) {
    // Not as a single argument: rv would read a batch script of that name, whose #SBATCH lines may ask for more GPUs
    // than the plan of the first call has.
    line.insert(line.end(), {"--", "bash", "-c", non_empty_text(command_argument, arguments.at(command_argument))});
  }
  return line;
}

}  // namespace rv::mcp
