// One login to the login node, shared by every rv on this machine: OpenSSH's client with a control socket of rv's own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/remote/hop/shared_session.h"

namespace rv::remote {

enum class Session { plain, with_terminal };

class SshConnection {
 public:
  /// `host`: any argument that ssh accepts (name, user@name, a Host entry of ~/.ssh/config). Makes the folder of the
  /// control sockets (0700). Throws Error(usage) for a name that ssh would read as an option, Error when the folder is
  /// not ours.
  explicit SshConnection(std::string host);

  const std::string& host() const { return host_; }

  /// Logs in unless a shared connection exists: asks for password and second factor if there is a terminal. Throws
  /// Error.
  void open() const;
  bool is_open() const;

  /// argv of an ssh that runs `command` over the connection and never asks anything; its own messages go to `log`.
  std::vector<std::string> session(Session kind, const std::string& log, const std::string& command) const;
  /// The same without a terminal, for asking the connection itself. Nothing where the user's ssh settings want more of
  /// a session than that can have, or are not known.
  std::optional<SharedSession> shared_session(const std::string& command) const;

  /// A new empty file for ssh's messages, readable only by this user.
  std::string new_log() const;

 private:
  std::vector<std::string> options() const;
  void log_in() const;
  void note_settings() const;

  std::string host_;
  std::string folder_;
  std::string socket_;
};

}  // namespace rv::remote
