// The way from a laptop to the login node: one ssh round trip per command, the same command line there.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/remote/hop/hop_request.h"
#include "cli/remote/hop/ssh_connection.h"

namespace rv::remote {

/// Gets what a command on the login node announces (login_side.h); after a lost connection it may come again.
using Announced = std::function<void(std::string_view words)>;

struct Hop {
  std::string host;
  std::string cluster_home;                         // rv's home there; empty: the default there
  std::string folder;                               // where the command runs; empty: the home folder
  std::vector<std::string> words;                   // the command line without argv[0]
  bool follows = false;                             // a run's output is followed: it is resumed after a lost connection
  os::Terminal terminal;                            // this machine's
  bool raw = false;                                 // --raw: a terminal without a pty there gets the bytes unfiltered
  std::optional<std::string> input = std::nullopt;  // for the command's stdin instead of this process's
  ProjectPlace project = {};                        // the command runs in a snapshot of this project
  /// Gets the command's stdout instead of this process's.
  std::function<void(std::string_view bytes)> output = {};
  /// Called when rv has been put there, for those whose stdin can't be read again: what it returns is the end.
  std::function<int()> installed = {};
  Announced announced = {};
  std::string when_lost = "try again";  // the advice if the connection is lost while the command runs
  /// The command and the owner of this process's streams exchange bytes: each byte is passed on at once.
  /// An exit code of 255 is a lost connection then.
  bool dialogue = false;
};

/// Throws Error(usage) for a command line that is too long to be sent.
void check_length(const std::vector<std::string>& words);

/// Runs the command on the login node with this process's streams, and a terminal where all three are one; puts rv
/// there first if this version is missing. Returns the command's exit code. Throws Error(connection) when there is no
/// way there, or it was lost on the way.
int run_there(const Hop& hop);

}  // namespace rv::remote
