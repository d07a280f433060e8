// What every command gets: how it was called, where it speaks, what the site and the user configured.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/settings.h"

namespace CLI {
class App;
}

namespace rv::cli {

struct Terminal {
  bool in = false;   // stdin is a terminal
  bool out = false;  // stdout is a terminal
  bool err = false;
  int width = 100;      // columns; 100 where stdout is no terminal
  bool colour = false;  // on a terminal, unless NO_COLOR is set or TERM=dumb
  bool utf8 = false;    // the locale's characters are UTF-8
};

/// Looks at the three streams, the locale, COLUMNS, NO_COLOR and TERM.
Terminal read_terminal();

struct Invocation {
  Terminal terminal;
  Settings settings;
  bool json = false;     // --json: one JSON document on stdout, errors as JSON on stderr
  bool verbose = false;  // -v: what rv does and asks, on stderr
  /// The user's own words, byte for byte, of a command that takes them (see user_command.h); else empty.
  std::vector<std::string> user_command;
};

/// A command's body; the int is rv's exit code.
using Action = std::function<int()>;

/// Each command registers itself on the app and, when it is the one that was called, sets `action`. `invocation` is
/// complete by the time the action runs, not before.
using AddCommand = void (*)(CLI::App& app, const Invocation& invocation, Action& action);

}  // namespace rv::cli
