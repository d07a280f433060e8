// The connections of one end of a forward: sockets here, frames to the other end.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "base/os/poll_loop.h"
#include "cli/remote/forward/frame.h"
#include "shared/system/descriptor.h"

namespace rv::forward {

class Channels {
 public:
  using Send = std::function<void(const Frame& frame)>;
  /// False while frames pile up: nothing is read from the sockets then.
  using MayRead = std::function<bool()>;

  Channels(os::PollLoop& loop, Send send, MayRead may_read);
  ~Channels() { reset_all(); }
  Channels(const Channels&) = delete;
  Channels& operator=(const Channels&) = delete;

  /// Takes over a connected socket. `opened`: the other end is connected too; otherwise it reports that with a frame.
  void add(std::uint32_t channel, os::Descriptor socket, bool opened);
  /// True when the frame was for one of these connections.
  bool take(const Frame& frame);
  /// Resets all connections, so that no peer mistakes the end of the forward for the end of the data.
  void reset_all();

 private:
  struct Connection {
    os::Descriptor socket;
    bool opened = false;
    std::string waiting;        // for the socket
    std::size_t room = window;  // bytes that the other end still has room for
    std::size_t passed_on = 0;  // to the socket, and not yet acknowledged
    bool read_to_end = false;   // the end was reported to the other side
    bool no_more = false;       // the other end has no more data
    bool written_to_end = false;
  };

  short wants(const Connection& connection) const;
  void serve(std::uint32_t channel, short events);
  void read_some(std::uint32_t channel, Connection& connection);
  void write_some(std::uint32_t channel, Connection& connection);
  void close_when_done(std::uint32_t channel);
  void reset(std::uint32_t channel);
  /// Resets the connection, here and at the other end.
  void break_off(std::uint32_t channel);
  void tell(FrameKind kind, std::uint32_t channel, std::string payload = "");

  os::PollLoop& loop_;
  Send send_;
  MayRead may_read_;
  std::map<std::uint32_t, Connection> connections_;
};

}  // namespace rv::forward
