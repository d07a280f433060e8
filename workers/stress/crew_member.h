#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

#include "shared/system/descriptor.h"
#include "workers/stress/crew.h"

namespace rv::workers {

/// One worker as the one that watches it sees it.
class CrewMember {
 public:
  using Clock = std::chrono::steady_clock;
  enum class State { starting, ready, working, leaving, ended };

  /// Starts its process. Throws std::runtime_error where the machine has no room for one more.
  CrewMember(const CrewOrder& order, int worker);
  CrewMember(const CrewMember&) = delete;
  CrewMember& operator=(const CrewMember&) = delete;

  State state() const { return state_; }
  pid_t pid() const { return end_.pid; }
  const WorkerEnd& end() const { return end_; }

  void go();
  /// Reads what it has said, sees whether it has ended, and ends one that hangs or is late.
  void watch();
  /// A look at its memory; `gpu_bytes`: what the driver says that it has there.
  void look(std::optional<std::uint64_t> gpu_bytes);
  void cut_off();

 private:
  void take(const std::string& line);
  void done();
  void ended(int status);
  void kill_for(WorkerEnd::Kind kind, std::string reason);
  void begin(State state);

  const CrewOrder& order_;
  WorkerEnd end_;
  State state_ = State::starting;
  Clock::time_point since_ = Clock::now(), heard_ = Clock::now();
  os::Descriptor in_, out_;  ///< ends of its stdin and stdout
  std::string said_;
  bool failed_ = false;
  std::optional<std::uint64_t> gpu_before_, gpu_now_;
  std::uint64_t rss_before_ = 0;
  int descriptors_before_ = 0;
};

}  // namespace rv::workers
