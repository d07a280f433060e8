// The far end of a forward: connects to the run's ports that the near end requests.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/os/poll_loop.h"
#include "cli/remote/forward/channels.h"
#include "cli/remote/forward/dialler.h"
#include "cli/remote/forward/direct_line.h"
#include "cli/remote/forward/frame_pipe.h"
#include "cli/remote/forward/port_owner.h"

namespace rv::forward {

class Relay {
 public:
  /// Frames come from `in` and go to `out`. Nothing is sent to a socket that `owner` does not take for the run's.
  Relay(int in, int out, PortOwner owner);

  /// The near end has gone.
  bool ended() const { return pipe_.ended() || (line_ && line_->pipe.ended()); }
  /// Does what there is to do, and waits for it for at most a second.
  void turn();

 private:
  void receive(const Frame& frame);
  void open(const Frame& frame);
  void refuse(std::uint32_t channel, const std::string& fault);

  /// The connection to the near end: its direct line, once there is one.
  FramePipe& near_end() { return line_ ? line_->pipe : pipe_; }

  os::PollLoop loop_;
  FramePipe pipe_;
  std::unique_ptr<FrameSocket> line_;
  LineListener listener_;
  Channels channels_;
  Dialler dialler_;
  PortOwner owner_;
};

/// "NODE PORT" of an open frame; port 0 when it is none.
struct OpenTarget {
  std::string node;
  int port = 0;
};
OpenTarget open_target(const std::string& payload);

/// Allows this process as many descriptors as it may have.
void allow_many_descriptors();

}  // namespace rv::forward
