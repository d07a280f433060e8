#include "cli/open/ssh_config_value.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/quote.h"
#include "base/terminal_text.h"

namespace rv::cli {

namespace {

/// `what` names the value in the error.
void check_characters(std::string_view text, std::string_view what, std::string_view refused) {
  const bool bad = has_control_character(text) || text.find_first_of(refused) != std::string_view::npos;
  if (!bad && (refused.empty() || text.find("${") == std::string_view::npos)) return;
  throw Error(fmt::format("ssh's configuration can't hold the {} '{}'", what, printable(text)),
              "rename it without control characters, quotation marks, backslashes and ${");
}

/// ssh expands %h and the like.
std::string without_tokens(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '%' ? std::string("%%") : std::string(1, c);
  return out;
}

}  // namespace

SshConfigValue SshConfigValue::quoted(std::string_view text) {
  check_characters(text, "name", "\"\\");
  return SshConfigValue('"' + without_tokens(text) + '"');
}

SshConfigValue SshConfigValue::command(const std::vector<std::string>& argv) {
  for (const auto& argument : argv) check_characters(argument, "argument", "");
  return SshConfigValue(without_tokens(quote_all(argv)));
}

std::string ssh_config_line(std::string_view keyword, const SshConfigValue& value) {
  return fmt::format("  {} {}\n", keyword, value.text());
}

}  // namespace rv::cli
