#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "workers/devices/fault.h"
#include "workers/ranks/coordinator.h"
#include "workers/report/report.h"

namespace rv::workers {

/// The run has ended for a reason outside this rank: another rank's end, or a deadline.
class RunEnded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The connection to another rank broke. This is rarely the cause of a failure: it is usually what the neighbours of a
/// rank that died observe.
class LinkBroken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A rank's connection to the coordinator. Its own thread sends signs of life and receives the end of the run. If the
/// rank has not ended within the grace period after that, the thread ends the process: a rank inside a collective whose
/// other end is dead can't end itself.
class Peer {
 public:
  struct RankPosition {
    int rank = 0, world = 1, local_rank = 0;
  };

  /// Joins and waits until all ranks have joined. `key` is the key of the step (handshake.h). Throws RunEnded that
  /// names the missing ranks, or std::runtime_error if the coordinator can't be reached or does not have the key.
  Peer(RankPosition position, const std::string& host, int port, std::string key, Deadlines deadlines,
       Fault fault = {});
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  int rank() const { return position_.rank; }
  int world() const { return position_.world; }
  int local_rank() const { return position_.local_rank; }
  /// The key of the step, which all its ranks have.
  const std::string& key() const { return key_; }
  const std::vector<std::string>& hosts() const { return hosts_; }  ///< by rank
  const std::string& address() const { return addresses_[static_cast<std::size_t>(position_.rank)]; }
  Deadlines deadlines() const { return deadlines_; }
  const Fault& fault() const { return fault_; }

  /// Every rank contributes `part`; returns all parts, by rank. All ranks must make the same calls in the same order
  /// with the same names. Throws RunEnded.
  std::vector<Json> gather(const std::string& name, const Json& part);
  void barrier(const std::string& name) { gather(name, nullptr); }

  /// Begins a step of this rank and restarts its deadline. `what` describes it: it appears in the message if the rank
  /// dies or hangs.
  void doing(std::string what);
  /// Reports a part of the current step, at any time. It does not count as a step of its own: steps are used to compare
  /// ranks that make no progress, and to count injected faults.
  void reached(std::string what);
  /// Throws RunEnded if the run has ended. Call it in loops that wait for a device.
  void check() const;
  bool ended() const { return ended_; }

  /// Adds a line to the report of the run, which the coordinator's process writes.
  void report(const Json& line);
  void report(const Measurement& measurement) { report(to_json(measurement)); }

  /// Announces the normal end of this rank. Without it the other ranks are notified that this rank died.
  void leave();
  /// Ends the run on all ranks. A `symptom` becomes the reason only if no rank's death explains it. `cause`: a value of
  /// devices/cause.h, or empty.
  void fail(const std::string& reason, bool symptom, const std::string& cause = {});

 private:
  void listen();
  void handle(const Json& message);
  void end(const std::string& reason);
  bool send(const Json& message);
  void send_doing(std::string what, std::int64_t& count);
  Json alive();
  [[noreturn]] void throw_ended() const;

  RankPosition position_;
  std::string key_;
  Deadlines deadlines_;
  Fault fault_;
  Channel channel_;
  std::vector<std::string> hosts_, addresses_;

  std::mutex sending_;
  mutable std::mutex state_;
  std::condition_variable changed_;
  std::string doing_ = "starting";
  std::int64_t step_ = 0, part_ = 0;
  std::optional<Json> started_, gathered_;
  std::string reason_;
  std::optional<Clock::time_point> ended_at_;
  std::atomic<bool> ended_ = false, leaving_ = false;
  std::thread thread_;
};

}  // namespace rv::workers
