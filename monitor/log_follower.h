// The output of a run's processes, as it grows.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace rv::monitor {

enum class Stream { out, err };

/// Gets whole chunks of one stream of one node, in the order they were written.
using LogSink = std::function<void(Stream stream, std::string_view node, std::string_view text)>;

class LogFollower {
 public:
  /// `logs`: the run's logs folder; `node`: only this one's, empty: all.
  LogFollower(std::string logs, std::string node = "") : logs_(std::move(logs)), only_node_(std::move(node)) {}

  /// Hands over everything that is new; true when there was something. Files are opened anew each time, because a
  /// network file system shows another machine's writes only on open.
  bool poll(const LogSink& sink);

  /// Starts at the last `lines` lines of each file instead of the beginning. Before the first poll.
  void start_at_tail(int lines);

  /// Goes on where another follower stopped: offsets by file name, as offset_of() gives them. Before the first poll.
  void start_at(std::map<std::string, long long> offsets) { offsets_ = std::move(offsets); }
  /// Bytes of this file that have been handed over; inside a sink, those of the chunk included.
  long long offset_of(Stream stream, std::string_view node) const;

  int nodes() const;

 private:
  std::string logs_;
  std::string only_node_;
  std::map<std::string, long long> offsets_;  // by file name
};

}  // namespace rv::monitor
