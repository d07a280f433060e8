#include "cli/setup/variable_option.h"

#include "base/error.h"
#include "base/wrong_value.h"
#include "cli/options/value_option.h"
#include "cli/setup/user_secrets.h"

namespace rv::cli {
namespace {

void keep_variable(std::vector<std::string>& variables, const std::string& option, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) {
    throw wrong_value(option, text, "NAME=VALUE", "write it like -e SEED=7; sbatch's -e is --separate-stderr");
  }
  const auto name = text.substr(0, equals);
  try {
    check_user_secret(name, text.substr(equals + 1));
  } catch (const Error& fault) {  // does not name it
    throw Error(option + " " + name + ": " + fault.what(), fault.advice(), ExitCode::usage);
  }
  std::erase_if(variables, [&](const auto& one) { return one.starts_with(name + "="); });
  variables.push_back(text);
}

}  // namespace

void add_variable_option(CLI::App& command, std::vector<std::string>& variables) {
  add_values(
      command, "-e,--env",
      [&variables](const std::string& option, const std::string& text) { keep_variable(variables, option, text); },
      "a variable for the command; can be repeated (for secrets: rv env)")
      .type_name("NAME=VALUE");
}

}  // namespace rv::cli
