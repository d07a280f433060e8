// Sends a run's output from the login node to a laptop, in parts from which a new connection can continue.
#pragma once

#include <string>
#include <string_view>

#include "cli/remote/hop/hop_request.h"
#include "monitor/follow/log_follower.h"
#include "monitor/follow/output_writer.h"

namespace rv::remote {

/// The login node's side. Every part is a "log" mark (see marks.h) with the place in the log behind it.
class FollowChannel {
 public:
  explicit FollowChannel(HopRequest request) : request_(std::move(request)) {}

  /// Sends the ID of the followed run. From here on this process ends if its output is no longer read: the run
  /// continues, and the next connection continues following it. `notes`: a folder where the run can be found by the
  /// token.
  void follow(const std::string& run, const std::string& notes);
  bool resumed() const { return request_.resume.wanted; }
  /// Sets the follower to where the laptop's output ends.
  void resume(monitor::LogFollower& logs) const;
  /// How the laptop is to show what follows.
  void begin_output(bool several_nodes, bool all_to_stdout, monitor::Bars bars) const;
  /// `end`: the offset behind the part in its log file. An interrupt while the laptop takes nothing ends the output
  /// between two parts: the command's end still gets through.
  void write(monitor::Stream stream, std::string_view node, std::string_view text, long long end);

 private:
  HopRequest request_;
  bool given_up_ = false;
};

/// The laptop's side: the content of a "log" mark.
struct LogPart {
  std::string file;  // the log file's name, the key of Resume::offsets
  monitor::Stream stream = monitor::Stream::out;
  std::string node;
  long long end = 0;
};

/// Throws Error for words that FollowChannel can't have written.
LogPart parse_log_mark(std::string_view words);

}  // namespace rv::remote
