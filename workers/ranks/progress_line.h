#pragma once

#include <cstdio>
#include <string>

#include "workers/ranks/channel.h"

namespace rv::workers {

/// What a run is doing, for whoever waits for it: on a terminal one line that is written over, once nothing else has
/// been said for a second; elsewhere a line every half minute.
class ProgressLine {
 public:
  using Time = Clock::time_point;

  ProgressLine(std::FILE* to, bool terminal, std::string program, Time now);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Call it as often as you like; nothing to say is an empty text.
  void show(const std::string& doing, Time now);
  /// Before something else is said.
  void clear(Time now);

 private:
  std::FILE* to_;
  bool terminal_;
  std::string program_, shown_;
  Time due_;
};

}  // namespace rv::workers
