// The output of a run's processes, as it grows.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rv::monitor {

enum class Stream { out, err };

/// Gets whole chunks of one stream of one node, in the order they were written.
using LogSink = std::function<void(Stream stream, std::string_view node, std::string_view text)>;

/// How much of the logs one poll may take up.
struct LogLimits {
  long long bytes_of_file = 1 << 20;  // handed over by one poll
  long long bytes = 4 << 20;          // of all files together
};

class LogFollower {
 public:
  /// `logs`: the run's logs folder; `node`: only this one's, empty: all.
  explicit LogFollower(std::string logs, std::string node = "", LogLimits limits = {})
      : logs_(std::move(logs)), only_node_(std::move(node)), limits_(limits) {}

  /// Hands over what is new, as far as the limits allow: files that have more are served in turn, so that none waits
  /// for another. True when there was something, or is more. A chunk that a limit cuts off ends with a line where it
  /// can. Files are opened anew each time, because a network file system shows another machine's writes only on open.
  bool poll(const LogSink& sink);

  /// Hands over everything that was there when the first of these calls looked, however fast the files still grow:
  /// file after file, a bounded part a call. True while there is more; after false it begins anew.
  bool drain(const LogSink& sink);

  /// Starts at the last `lines` lines of each file instead of the beginning. Before the first poll.
  void start_at_tail(int lines);

  /// Goes on where another follower stopped: offsets by file name, as offset_of() gives them. Before the first poll.
  void start_at(const std::map<std::string, long long>& offsets);
  /// Bytes of this file that have been handed over; inside a sink, those of the chunk included.
  long long offset_of(Stream stream, std::string_view node) const;

  int nodes() const;

 private:
  struct File {
    std::string node;
    Stream stream = Stream::out;
    long long offset = 0;
    bool more = false;  // the last look left something
  };
  using Files = std::map<std::string, File>;  // by file name
  using Entry = Files::value_type;
  class Folder;
  class Turn;

  std::vector<Entry*> list(const Folder& folder);
  /// `at_most`: bytes. Returns how many there were.
  static long long hand_over(int fd, Entry& entry, long long at_most, const LogSink& sink);
  void drain_some(const Folder& folder, long long& left, const LogSink& sink);

  std::string logs_;
  std::string only_node_;
  LogLimits limits_;
  Files files_;
  std::string served_;  // the last one in turn: those behind it come next
  struct Draining {
    Entry* entry = nullptr;
    long long end = -1;  // its size when it was first looked at; -1: it was not yet
  };
  std::vector<Draining> draining_;  // the next one last
};

}  // namespace rv::monitor
