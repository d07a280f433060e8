// The protocol between the ends of a forward: many connections in one stream of bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rv::forward {

enum class FrameKind : char {
  hello = 'h',    // from the login node, first of all: JSON, what is forwarded or why nothing is
  open = 'c',     // a client connected; payload "NODE PORT"
  line = 'l',     // from a step, first of all: where it can be reached without srun (direct_line.h)
  ask = 'w',      // whose is the port? Payload "NODE PORT"
  answer = 'a',   // payload: why nothing can be sent there, or empty
  opened = 'o',   // there is a connection to that port
  refused = 'r',  // there is none; payload: why
  data = 'd',
  taken = 't',  // payload: how many bytes of data were passed on, in decimal, so that as many may follow
  eof = 'e',    // no more data in this direction
  reset = 'x',  // the connection was broken
  over = 'q',   // the run has ended; payload: how
};

struct Frame {
  FrameKind kind{};
  std::uint32_t channel = 0;
  std::string payload;

  bool operator==(const Frame&) const = default;
};

/// Longest payload of a data frame, and how many bytes of one connection may be on their way in one direction.
inline constexpr std::size_t longest_part = 32 << 10;
inline constexpr std::size_t window = 512 << 10;

/// The text that each end writes before its first frame. Output of start-up files and task prologues comes before it.
inline constexpr std::string_view greeting = "\001rv relay 1\002\n";

/// Adds the frame's bytes. They end with a newline, because srun passes on whole lines.
void append_frame(std::string& out, const Frame& frame);

/// Bytes → frames.
class FrameReader {
 public:
  void feed(std::string_view bytes);
  /// The next whole frame. Throws Error for bytes that append_frame can't have written.
  std::optional<Frame> next();
  /// The last part of the text before the greeting.
  const std::string& chatter() const { return chatter_; }

 private:
  std::string chatter_;
  bool greeted_ = false;
  std::string held_;
  std::size_t at_ = 0;  // what lies before was handed over
};

}  // namespace rv::forward
