// A session over OpenSSH's shared connection without a second ssh: the protocol of its control socket, version 4, as
// PROTOCOL.mux in OpenSSH's sources describes it. Starting ssh takes longer than all the rest of a hop.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "shared/system/descriptor.h"

namespace rv::remote {

/// A connection to the process that listens on this Unix socket; no descriptor if none does.
os::Descriptor connect_to(const std::string& path);

struct SharedSession {
  std::string socket;                    // the control socket
  std::string command;                   // for the login shell
  std::vector<std::string> environment;  // NAME=VALUE, for the other side
  bool forward_agent = false;
};

/// Runs the command with this process's stdin, stdout and stderr, without a terminal, and returns its exit code; 255
/// when the connection is lost. Nothing when the master refused (too many sessions, say), or speaks otherwise: the
/// command has not been started then. `taken` is called when the other side has answered and starts the command: over a
/// link that hangs it never is.
std::optional<int> run_over_shared_connection(const SharedSession& session, const std::function<void()>& taken = {});

}  // namespace rv::remote
