// Starting OpenSSH's client.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/remote/hop/shared_session.h"

namespace rv::remote {

enum class Input { inherited, none };

struct SshStreams {
  Input input = Input::inherited;
  /// Fed to ssh's stdin instead, when it is given.
  std::optional<std::string_view> bytes;
  /// ssh has this process's stderr. Else, unless ssh has a terminal, what it writes there passes a TerminalFilter where
  /// this process's stderr is a terminal.
  bool raw_errors = false;
  /// ssh has a terminal: Ctrl-C travels as a byte. Without one, SIGINT and SIGQUIT are kept from ssh and handed to
  /// `signalled`.
  bool terminal = false;
  /// The session that argv asks for, where the shared connection can be asked for it directly. ssh is started only if
  /// it refuses.
  std::optional<SharedSession> shared = std::nullopt;
  /// Receives ssh's stdout. False: no more is needed, and ssh is ended.
  std::function<bool(std::string_view bytes)> output;
  /// SIGINT, SIGTERM, SIGHUP or SIGQUIT came to rv. False: end ssh.
  std::function<bool(int number)> signalled;
};

/// Runs ssh to its end. Returns ssh's exit code, 128 + N for a signal. Throws Error when
/// there is no ssh.
int run_ssh(const std::vector<std::string>& argv, const SshStreams& streams);

/// For "ssh -f": returns when ssh has gone to the background or failed. What it writes to stderr until then is passed
/// on.
int run_ssh_to_background(const std::vector<std::string>& argv);

enum class Delivery {
  ended,      // with code 0
  failed,     // it ended with another code
  under_way,  // answered, and takes longer than 10 s; or a signal came to this process
  silent,     // no answer within 1 s (3 s if `shared` can't report it); the signal may still arrive
};

/// A session without input or output; the caller waits only as long as necessary.
Delivery deliver(const std::vector<std::string>& argv, const std::optional<SharedSession>& shared);

}  // namespace rv::remote
