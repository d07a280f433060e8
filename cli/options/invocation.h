// The input of every command: how it was called, where it writes, and the settings of the site and the user.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/os/terminal.h"
#include "cli/remote/hop/hop_request.h"
#include "cli/settings/settings.h"

namespace rv::cli {

struct Invocation {
  os::Terminal terminal;
  Settings settings;
  bool json = false;     // --json: print one JSON document on stdout, and errors as JSON on stderr
  bool verbose = false;  // -v: print actions and queries on stderr
  std::string host;      // -H: the login node to run on; empty: as in the settings
  /// Set on the login node if rv on a laptop called this one; nothing on the user's machine and in a login shell.
  std::optional<remote::HopRequest> hop;
  /// The arguments of the user's command, unchanged (see user_command.h); empty for other commands.
  std::vector<std::string> user_command;
  bool as_typed = false;  // they came after "--": rv adds nothing to them
};

}  // namespace rv::cli
