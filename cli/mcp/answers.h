// Results of queries, stored for a while: an agent that polls must not load Slurm's controller.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/os/process.h"

namespace rv::mcp {

class Answers {
 public:
  using Clock = std::chrono::steady_clock;

  /// A result is returned again for this long.
  static constexpr std::chrono::seconds lifetime{30};
  /// Maximum number of queries in a period of `lifetime`.
  static constexpr std::size_t most_queries = 20;

  struct Answer {
    os::Result result;
    std::chrono::seconds age{0};
  };

  /// The stored result of this command line; nothing if there is none, or if it is older than `lifetime`.
  std::optional<Answer> find(const std::vector<std::string>& command_line, Clock::time_point now) const;
  void store(const std::vector<std::string>& command_line, const os::Result& result, Clock::time_point now);
  /// Discards all results: a run was started or stopped.
  void clear() { entries_.clear(); }

  /// Counts a query. Throws Error if there were `most_queries` in the last `lifetime`.
  void count_query(Clock::time_point now);

 private:
  struct Entry {
    os::Result result;
    Clock::time_point time;
  };
  std::map<std::vector<std::string>, Entry> entries_;
  std::deque<Clock::time_point> queries_;
};

}  // namespace rv::mcp
