// The far end of a forward: connects to the ports that the near end asks for.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/forward/channels.h"
#include "cli/forward/dialler.h"
#include "cli/forward/frame_pipe.h"
#include "cli/forward/poll_loop.h"

namespace rv::cli::forward {

class Relay {
 public:
  /// Where a port of a node may be found, to be tried in this order.
  using Addresses = std::function<std::vector<Address>(const std::string& node, int port)>;
  /// Gets what this relay has no connection for: opens that failed, with the reason, and frames of unknown channels.
  using Otherwise = std::function<void(const Frame& frame, const std::string& fault)>;

  /// Frames come from `in` and go to `out`.
  Relay(int in, int out, Addresses addresses, Otherwise otherwise);

  PollLoop& loop() { return loop_; }
  FramePipe& near_end() { return pipe_; }
  /// The near end has gone.
  bool ended() const { return pipe_.ended(); }
  /// Does what there is to do, and waits for it for at most a second.
  void turn();
  /// Tells the near end that there is no connection.
  void refuse(std::uint32_t channel, const std::string& fault);

 private:
  void receive(const Frame& frame);
  void open(const Frame& frame);

  PollLoop loop_;
  FramePipe pipe_;
  Channels channels_;
  Dialler dialler_;
  Addresses addresses_;
  Otherwise otherwise_;
};

/// "NODE PORT" of an open frame; port 0 when it is none.
struct OpenTarget {
  std::string node;
  int port = 0;
};
OpenTarget open_target(const std::string& payload);

/// Allows this process as many descriptors as it may have.
void allow_many_descriptors();

}  // namespace rv::cli::forward
