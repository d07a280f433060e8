// Follows the output of a run's processes.
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

/// Receives chunks of one stream of one node, in the order of writing.
using LogSink = std::function<void(Stream stream, std::string_view node, std::string_view text)>;

/// Limits of one poll.
struct LogLimits {
  long long bytes_of_file = 1 << 20;  // most bytes of one file that a poll passes on
  long long bytes = 4 << 20;          // most bytes of all files
  // A network file system shows another machine's writes for certain only after open(2). With few files, each poll
  // opens all of them. With many, the files without new output are opened in turn: this many per second, and at least
  // this many per poll. 2,000 files are all opened within five seconds.
  int opens_a_second = 400;
  int opens_a_poll = 16;
  // The size of a file is queried at each poll if it has grown recently, else in turn.
  int questions_a_second = 4000;
  int questions_a_poll = 64;
  std::chrono::seconds lately{10};
};

/// The processes whose output is followed.
struct LogChoice {
  std::string node = {};                          // empty: all nodes
  std::optional<std::vector<int>> elements = {};  // elements of an array, sorted; nothing: all

  bool all() const { return node.empty() && !elements; }
  /// `label`: a log file's name without its ending. It is the node or, for an array, the element ("3", on several nodes
  /// "3.n2").
  bool takes(std::string_view label) const;
};

class LogFollower {
 public:
  using Clock = std::chrono::steady_clock;

  /// `logs`: the run's logs folder.
  explicit LogFollower(std::string logs, LogChoice choice = {}, LogLimits limits = {})
      : logs_(std::move(logs)), choice_(std::move(choice)), limits_(limits) {}

  /// Passes new output to the sink, within the limits. Files with more output are read in turn, so that no file delays
  /// another. Returns whether there was output, or is more. A chunk that a limit cuts off ends with a whole line if
  /// possible.
  bool poll(const LogSink& sink, Clock::time_point now = Clock::now());

  /// Passes on all output that existed at the first of these calls, even if the files still grow: one file after the
  /// other, a limited part in each call. Returns whether there is more. After false, the next call starts again.
  bool drain(const LogSink& sink);

  /// Starts at the last `lines` lines of each file instead of the beginning. Before the first poll.
  void start_at_tail(int lines);

  /// Continues where another follower stopped. `offsets`: by file name, from offset_of(). Call it before the first
  /// poll.
  void start_at(const std::map<std::string, long long>& offsets);
  /// The bytes of this file that were passed on; during a call of the sink, including its chunk.
  long long offset_of(Stream stream, std::string_view node) const;

  /// The bytes of files with these sizes that have not been passed on.
  long long missing_of(const std::map<std::string, long long>& sizes) const;

  int nodes() const;
  /// Whether there are separate files for stderr so far. Otherwise stderr is in the files of stdout, in the order of
  /// writing.
  bool separate_stderr() const;

 private:
  struct File {
    std::string node;
    Stream stream = Stream::out;
    long long offset = 0;
    bool opened = false;
    bool more = false;       // the last poll left output unread
    Clock::time_point grew;  // when output was last passed on
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
    long long end = -1;  // its size when it was first read; -1: not yet
  };
  std::vector<Draining> draining_;  // the next one last
};

}  // namespace rv::monitor
