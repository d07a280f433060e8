// The near end's way to the far one: ssh to the login node, or a process on this one.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/os/piped_child.h"
#include "cli/remote/forward/agreed_targets.h"
#include "cli/remote/forward/frame_pipe.h"
#include "cli/remote/forward/relay_request.h"
#include "cli/remote/hop/ssh_connection.h"
#include "cli/settings/settings.h"

namespace rv::forward {

class RelayLink {
 public:
  /// `there`: the login node; nothing: this machine is one.
  RelayLink(os::PollLoop& loop, std::optional<HostSettings> there, FramePipe::Receive receive);
  ~RelayLink();
  RelayLink(const RelayLink&) = delete;
  RelayLink& operator=(const RelayLink&) = delete;

  /// Requests a relay, logs in if necessary, installs rv on the login node if it is missing, and waits for the answer.
  /// Throws Error: no connection, an error of the login node, or an answer that does not match
  /// (connection).
  AgreedTargets connect(const RelayRequest& request);
  bool connected() const { return pipe_ && !pipe_->ended(); }
  /// Whether an ssh connection to the login node is open. False if there is none.
  bool login_is_open() const { return connection_ && connection_->is_open(); }
  FramePipe& pipe() { return *pipe_; }
  void close();

 private:
  void start(const RelayRequest& request, const std::string& token);
  [[noreturn]] void fail(const std::string& chatter, int code, const std::string& log);

  os::PollLoop& loop_;
  std::optional<HostSettings> there_;
  std::optional<remote::SshConnection> connection_;
  FramePipe::Receive receive_;
  std::optional<Hello> hello_;
  std::string log_;  // ssh's messages
  std::unique_ptr<os::PipedChild> child_;
  std::unique_ptr<FramePipe> pipe_;
};

}  // namespace rv::forward
