// Values for lines of ssh's configuration. Only what can't end its line, its quotation or its argument becomes one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/border/checked_name.h"

namespace rv::cli {

class SshConfigValue {
 public:
  SshConfigValue(const UserName& user) : text_(user.text()) {}  // NOLINT(google-explicit-constructor): it is checked

  /// A name in quotation marks: a file, in which ssh expands nothing, or an alias. Throws Error for control characters,
  /// quotation marks, backslashes and "${", which releases of ssh read differently.
  static SshConfigValue quoted(std::string_view text);
  /// A ProxyCommand: arguments for a shell, in which ssh expands nothing. Throws Error for control characters.
  static SshConfigValue command(const std::vector<std::string>& argv);
  /// A keyword of ssh, as a literal.
  template <std::size_t size>
  static SshConfigValue word(const char (&literal)[size]) {
    return SshConfigValue(std::string(literal));
  }

  const std::string& text() const { return text_; }

 private:
  explicit SshConfigValue(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

/// "  KEYWORD VALUE\n"
std::string ssh_config_line(std::string_view keyword, const SshConfigValue& value);

}  // namespace rv::cli
