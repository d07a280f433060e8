#include "cli/options/option_record.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"

namespace rv::cli {
namespace {

std::string name_of(const CLI::Option& option) {
  return option.get_lnames().empty() ? "-" + option.get_snames().front() : "--" + option.get_lnames().front();
}

bool is_among(const CLI::Option& option, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return option.check_name(name); });
}

}  // namespace

std::vector<std::string> options_given(const CLI::App& command, const std::vector<std::string>& left_out) {
  std::vector<std::string> out;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() || option->count() == 0 || is_among(*option, left_out)) continue;
    const bool is_flag = option->get_items_expected_max() == 0;
    for (const auto& value : option->results()) out.push_back(name_of(*option) + (is_flag ? "" : "=" + value));
  }
  return out;
}

std::vector<std::string> merged_options(const std::vector<std::string>& earlier, const CLI::App& command,
                                        const std::vector<std::string>& left_out) {
  std::vector<std::string> out;
  for (const auto& argument : earlier) {
    const CLI::Option* option = command.get_option_no_throw(argument.substr(0, argument.find('=')));
    if (option == nullptr || option->count() == 0) out.push_back(argument);
  }
  const auto now = options_given(command, left_out);
  out.insert(out.end(), now.begin(), now.end());
  return out;
}

void parse_options(const std::vector<std::string>& arguments, const std::function<void(CLI::App&)>& add) {
  CLI::App app;
  add(app);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& fault) {
    throw Error(fmt::format("the recorded options are not valid: {}", fault.what()),
                "call rv run with the options you want", ExitCode::usage);
  }
}

}  // namespace rv::cli
