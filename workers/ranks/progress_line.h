#pragma once

#include <cstdio>
#include <string>

#include "workers/ranks/channel.h"

namespace rv::workers {

/// Shows what a run is doing: on a terminal as one line that is overwritten, after a second without other output;
/// elsewhere as a new line every half minute.
class ProgressLine {
 public:
  using Time = Clock::time_point;

  ProgressLine(std::FILE* to, bool terminal, std::string program, Time now);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows the current operation; an empty text shows nothing. It may be called at any rate.
  void show(const std::string& doing, Time now);
  /// Removes the line. Call it before other output.
  void clear(Time now);

 private:
  std::FILE* to_;
  bool terminal_;
  std::string program_, shown_;
  Time due_;
};

}  // namespace rv::workers
