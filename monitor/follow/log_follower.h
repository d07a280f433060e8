// The output of a run's processes, as it grows.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/natural_order.h"

namespace rv::monitor {

enum class Stream { out, err };

/// Gets whole chunks of one stream of one node, in the order they were written.
using LogSink = std::function<void(Stream stream, std::string_view node, std::string_view text)>;

/// How much of the logs one poll may take up.
struct LogLimits {
  long long bytes_of_file = 1 << 20;  // handed over by one poll
  long long bytes = 4 << 20;          // of all files together
  // A network file system shows another machine's writes for certain only on open. With few files each poll opens all
  // of them; with many, those that show nothing new are opened in turn: these many a second, and at least so many a
  // poll. 2,000 files are all opened within five seconds.
  int opens_a_second = 400;
  int opens_a_poll = 16;
  // Whether a file has grown is asked at each poll where it has grown lately, else in turn.
  int questions_a_second = 4000;
  int questions_a_poll = 64;
  std::chrono::seconds lately{10};
};

/// Whose output is wanted.
struct LogChoice {
  std::string node = {};                          // empty: all nodes'
  std::optional<std::vector<int>> elements = {};  // of an array, sorted; nothing: all

  bool all() const { return node.empty() && !elements; }
  /// `label`: a log file's name without its ending: the node, of an array the element ("3", on several nodes "3.n2").
  bool takes(std::string_view label) const;
};

class LogFollower {
 public:
  using Clock = std::chrono::steady_clock;

  /// `logs`: the run's logs folder.
  explicit LogFollower(std::string logs, LogChoice choice = {}, LogLimits limits = {})
      : logs_(std::move(logs)), choice_(std::move(choice)), limits_(limits) {}

  /// Hands over what is new, as far as the limits allow: files that have more are served in turn, so that none waits
  /// for another. True when there was something, or is more. A chunk that a limit cuts off ends with a line where it
  /// can.
  bool poll(const LogSink& sink, Clock::time_point now = Clock::now());

  /// Hands over everything that was there when the first of these calls looked, however fast the files still grow:
  /// file after file, a bounded part a call. True while there is more; after false it begins anew.
  bool drain(const LogSink& sink);

  /// Starts at the last `lines` lines of each file instead of the beginning. Before the first poll.
  void start_at_tail(int lines);

  /// Goes on where another follower stopped: offsets by file name, as offset_of() gives them. Before the first poll.
  void start_at(const std::map<std::string, long long>& offsets);
  /// Bytes of this file that have been handed over; inside a sink, those of the chunk included.
  long long offset_of(Stream stream, std::string_view node) const;

  /// How many bytes of files of these sizes have not been handed over.
  long long missing_of(const std::map<std::string, long long>& sizes) const;

  int nodes() const;
  /// Whether the run's stderr has files of its own so far. Without, it stands in stdout's, in the order of writing.
  bool separate_stderr() const;

 private:
  struct File {
    std::string node;
    Stream stream = Stream::out;
    long long offset = 0;
    bool opened = false;
    bool more = false;       // the last poll left something
    Clock::time_point grew;  // when something was last handed over
  };
  using Files = std::map<std::string, File, NaturalOrder>;  // by file name
  using Entry = Files::value_type;
  class Folder;
  class Turn;

  std::vector<Entry*> list(const Folder& folder);
  std::vector<Entry*> worth_opening(const Folder& folder, const std::vector<Entry*>& listed, Clock::time_point now);
  /// `at_most`: bytes. Returns how many there were.
  static long long hand_over(int fd, Entry& entry, long long at_most, const LogSink& sink);
  void drain_some(const Folder& folder, long long& left, const LogSink& sink);

  std::string logs_;
  LogChoice choice_;
  LogLimits limits_;
  Files files_;
  Clock::time_point polled_;
  // The last ones in turn to be opened, asked for their size, and served: those behind them come next.
  std::string opened_;
  std::string asked_;
  std::string served_;
  struct Draining {
    Entry* entry = nullptr;
    long long end = -1;  // its size when it was first looked at; -1: it was not yet
  };
  std::vector<Draining> draining_;  // the next one last
};

}  // namespace rv::monitor
