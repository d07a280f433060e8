// Frames over a pair of descriptors: a child's stdin and stdout, or this process's own.
#pragma once

#include <functional>
#include <string>

#include "base/os/poll_loop.h"
#include "cli/remote/forward/frame.h"
#include "shared/system/descriptor.h"

namespace rv::forward {

class FramePipe {
 public:
  using Receive = std::function<void(const Frame& frame)>;

  /// Watches both descriptors, which stay the caller's, on `loop` while this lives, and makes them non-blocking.
  FramePipe(os::PollLoop& loop, int in, int out, Receive receive);
  ~FramePipe();
  FramePipe(const FramePipe&) = delete;
  FramePipe& operator=(const FramePipe&) = delete;

  void greet();
  void send(const Frame& frame);
  /// Too many bytes wait to be written: the caller should not add data.
  bool congested() const;
  /// The other end has closed, or sent something that is not a frame.
  bool ended() const { return ended_; }
  const std::string& chatter() const { return reader_.chatter(); }
  /// Writes what waits, as far as the other end takes it within a second.
  void flush();

 private:
  void read_some();
  void write_some();

  os::PollLoop& loop_;
  int in_;
  int out_;
  Receive receive_;
  FrameReader reader_;
  std::string waiting_;
  std::size_t written_ = 0;  // of waiting_
  bool ended_ = false;
};

/// Frames over a separate socket.
struct FrameSocket {
  FrameSocket(os::PollLoop& loop, os::Descriptor connected, FramePipe::Receive receive)
      : socket(std::move(connected)),
        writer(::dup(socket.number())),
        pipe(loop, socket.number(), writer.number(), std::move(receive)) {}

  os::Descriptor socket;
  os::Descriptor writer;  // the same: a loop watches a descriptor for one thing
  FramePipe pipe;
};

}  // namespace rv::forward
