#include "cli/options/command_option.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <utility>

namespace rv::cli {

CommandOption CommandOption::type_name(const std::string& name) const {
  return CommandOption(option_->type_name(name));
}

CommandOption CommandOption::group(const std::string& heading) const {
  return CommandOption(option_->group(heading));
}

CommandOption CommandOption::description(const std::string& text) const {
  return CommandOption(option_->description(text));
}

CommandOption CommandOption::required() const {
  return CommandOption(option_->required());
}

CommandOption CommandOption::delimiter(char character) const {
  return CommandOption(option_->delimiter(character));
}

CommandOption CommandOption::needs(CommandOption other) const {
  return CommandOption(option_->needs(other.option_));
}

CommandOption CommandOption::excludes(CommandOption other) const {
  return CommandOption(option_->excludes(other.option_));
}

CommandOption CommandOption::excludes(const std::string& name) const {
  return CommandOption(option_->excludes(name));
}

CommandOption add_flag(CLI::App& command, const std::string& names, bool& variable, const std::string& description) {
  return CommandOption(command.add_flag(names, variable, description));
}

CommandOption add_flag_callback(CLI::App& command, const std::string& names, std::function<void()> callback,
                                const std::string& description) {
  return CommandOption(command.add_flag_callback(names, std::move(callback), description));
}

CommandOption add_option(CLI::App& command, const std::string& names, std::string& variable,
                         const std::string& description) {
  return CommandOption(command.add_option(names, variable, description));
}

CommandOption add_option(CLI::App& command, const std::string& names, std::optional<std::string>& variable,
                         const std::string& description) {
  return CommandOption(command.add_option(names, variable, description));
}

CommandOption add_option(CLI::App& command, const std::string& names, std::vector<std::string>& variable,
                         const std::string& description) {
  return CommandOption(command.add_option(names, variable, description));
}

CommandOption add_text_option(CLI::App& command, const std::string& names, std::function<void(const std::string&)> read,
                              const std::string& description) {
  return CommandOption(command.add_option_function<std::string>(names, read, description));
}

CommandOption add_repeated_option(CLI::App& command, const std::string& names,
                                  std::function<void(const std::string&)> read, const std::string& description) {
  const auto read_all = [read = std::move(read)](const std::vector<std::string>& texts) {
    for (const auto& text : texts) read(text);
  };
  return CommandOption(command.add_option_function<std::vector<std::string>>(names, read_all, description)
                           ->expected(1)
                           ->take_all()
                           ->allow_extra_args(false));
}

CommandOption option_of(CLI::App& command, const std::string& name) {
  return CommandOption(command.get_option(name));
}

void add_earlier_name(CLI::App& command, const std::string& earlier, const std::string& name, std::string& variable) {
  const auto read = [=, &command, &variable](const std::string& text) {
    fmt::print(stderr, "rv: {} of rv {} is now {}\n", earlier, command.get_name(), name);
    variable = text;
  };
  add_text_option(command, earlier, read, "earlier name of " + name).group("");
}

void hide_options(CLI::App& command, std::initializer_list<const char*> names) {
  regroup_options(command, "", names);
}

void regroup_options(CLI::App& command, const std::string& heading, std::initializer_list<const char*> names) {
  for (const char* name : names) command.get_option(name)->group(heading);
}

void set_footer(CLI::App& command, const std::string& text) {
  command.footer(text);
}

void set_callback(CLI::App& command, std::function<void()> callback) {
  command.callback(std::move(callback));
}

}  // namespace rv::cli
