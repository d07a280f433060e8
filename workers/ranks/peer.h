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

/// The run is over for a reason that stands elsewhere: another rank's end, or a deadline.
class RunEnded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The way to another rank broke: rarely the cause, mostly what its neighbours see of a rank that died.
class LinkBroken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One rank's side of the meeting. A thread of its own gives signs of life and hears bad news; once that has come,
/// and the rank has not ended within the grace, the thread ends the process: a rank that sits in a collective whose
/// other end is dead can't end itself.
class Peer {
 public:
  struct Place {
    int rank = 0, world = 1, local_rank = 0;
  };

  /// Joins and waits until all have. `key`: the step's (handshake.h). Throws RunEnded with who did not come, or
  /// std::runtime_error if the coordinator can't be reached or does not have the key.
  Peer(Place place, const std::string& host, int port, std::string key, Deadlines deadlines, Fault fault = {});
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  int rank() const { return place_.rank; }
  int world() const { return place_.world; }
  int local_rank() const { return place_.local_rank; }
  /// The step's key, which every rank of the step has.
  const std::string& key() const { return key_; }
  const std::vector<std::string>& hosts() const { return hosts_; }  ///< by rank
  const std::string& address() const { return addresses_[static_cast<std::size_t>(place_.rank)]; }
  Deadlines deadlines() const { return deadlines_; }
  const Fault& fault() const { return fault_; }

  /// Every rank gives a part and gets all, by rank. All must call it in the same order under the same names. Throws
  /// RunEnded.
  std::vector<Json> gather(const std::string& name, const Json& part);
  void barrier(const std::string& name) { gather(name, nullptr); }

  /// What the rank does from now on; the word for where it died or hung. Each call restarts the step's deadline.
  void doing(std::string what);
  /// The same for a part of it, at any time: no step of its own, by which ranks that stand still are compared and
  /// injected faults are counted.
  void reached(std::string what);
  /// Throws RunEnded if the run is over. For loops that wait for a device.
  void check() const;
  bool ended() const { return ended_; }

  /// For the one report of the run, which the coordinator's process writes.
  void report(const Json& line);
  void report(const Measurement& measurement) { report(to_json(measurement)); }

  /// The last word; without it the others learn that this rank died.
  void leave();
  /// Ends the run for all; as a `symptom` only if nobody's death explains it. `cause`: a word of reports, or empty.
  void fail(const std::string& reason, bool symptom, const std::string& cause = {});

 private:
  void listen();
  void handle(const Json& message);
  void end(const std::string& reason);
  bool send(const Json& message);
  void tell(std::string what, std::int64_t& count);
  Json alive();
  [[noreturn]] void throw_ended() const;

  Place place_;
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
