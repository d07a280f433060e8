#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

#include "shared/system/descriptor.h"
#include "workers/stress/crew.h"

namespace rv::workers {

/// The parent's view of one worker process.
class CrewMember {
 public:
  using Clock = std::chrono::steady_clock;
  enum class State { starting, ready, working, leaving, ended };

  /// Starts the process. Throws std::runtime_error if the machine can't start another one.
  CrewMember(const CrewOrder& order, int worker);
  CrewMember(const CrewMember&) = delete;
  CrewMember& operator=(const CrewMember&) = delete;

  State state() const { return state_; }
  pid_t pid() const { return end_.pid; }
  const WorkerEnd& end() const { return end_; }

  void go();
  /// Reads its messages, checks whether it has ended, and ends it if it hangs or is late.
  void watch();
  /// Samples its memory; `gpu_bytes` is its GPU memory as the driver reports it.
  void sample_memory(std::optional<std::uint64_t> gpu_bytes);
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
