// What every command gets: how it was called, where it speaks, what the site and the user configured.
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
  bool json = false;     // --json: one JSON document on stdout, errors as JSON on stderr
  bool verbose = false;  // -v: what rv does and asks, on stderr
  std::string host;      // -H: the login node to run on; empty: what the settings say
  /// On the login node, called by the rv on a laptop; nothing on one's own machine and in a login shell.
  std::optional<remote::HopRequest> hop;
  /// The user's own words, byte for byte, of a command that takes them (see user_command.h); else empty.
  std::vector<std::string> user_command;
  bool as_typed = false;  // they stood behind "--": nothing is to be added to them
};

}  // namespace rv::cli
