#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "workers/ranks/channel.h"

namespace rv::workers {

/// The time limits of a run.
struct Deadlines {
  std::chrono::milliseconds join{60000};  ///< time from the start until every rank has joined
  std::chrono::milliseconds step{60000};  ///< time of one step of a rank, and of one wait for the other ranks
  /// time between two signs of life; a longer time means that the process hangs or the host is gone
  std::chrono::milliseconds silence{10000};
  /// time from the notice that the run has failed until a rank that has not ended is killed
  std::chrono::milliseconds grace{2000};
};

/// Why a run failed.
struct Failure {
  std::vector<int> ranks;  ///< the ranks that caused it; empty if unknown
  std::string message;     ///< a sentence with their ranks and, if known, their hosts
  std::string cause = {};  ///< "out_of_memory", if the rank that caused it reported that
};

/// The state of all ranks of a run: which have joined, which are alive, what each is doing, and what each contributes
/// to a gather. It has no socket and no clock, so that every failure can be tested: messages and times come in as
/// values, messages go out.
class Coordinator {
 public:
  using Time = Clock::time_point;
  struct Outgoing {
    int rank;
    Json message;
  };

  /// `hosts` has one name per rank, empty if the host is unknown until the rank joins.
  Coordinator(std::vector<std::string> hosts, Deadlines deadlines, Time now);

  /// A rank joins, with its host, its PID and the address that it connected from. Returns the reason if the rank is
  /// refused, else an empty string.
  std::string join(int rank, const std::string& host, int pid, const std::string& address, Time now);
  void receive(int rank, const Json& message, Time now);
  /// A rank's connection broke. If the process that started the rank soon reports how it ended, that becomes the
  /// reason.
  void disconnected(int rank, Time now);
  /// The process that started a rank reports that the rank's process ended. A last message of the rank may still
  /// arrive: it counts if it comes before the connection breaks, or shortly after.
  void process_ended(int rank, const std::string& how, Time now);
  /// The connection to a process that started ranks broke without a message.
  void starter_lost(const std::vector<int>& ranks, const std::string& how);
  /// Checks the deadlines. Call it a few times a second.
  void tick(Time now);

  std::deque<Outgoing>& outgoing() { return outgoing_; }
  std::deque<Json>& reports() { return reports_; }  ///< lines that the ranks report, in order
  const std::optional<Failure>& failure() const { return failure_; }
  bool all_left() const;
  /// The current operation of the rank that is furthest behind. Empty before all ranks have joined.
  std::string doing() const;
  /// Sets the address by which other hosts reach this one: it replaces a loopback address of a rank.
  void set_own_address(std::string own) { own_address_ = std::move(own); }

 private:
  struct Ended {
    std::string how;
    Time at;
  };
  struct Member {
    std::string host, address;
    int pid = 0;
    bool joined = false, left = false;
    Time last_sign{};
    std::string doing = "starting";
    std::int64_t step = 0, part_number = 0;  ///< the current step, and the part within it
    Time step_since{};
    bool waits = false;     ///< has contributed to the gather and waits for the other ranks
    std::string gathering;  ///< name of the gather
    Json part;
    std::optional<Time> disconnected;
    std::optional<Ended> ended;  ///< its process has ended; its last message may still arrive
  };

  std::string name(int rank) const;
  std::string names(const std::vector<int>& ranks) const;
  void end(std::vector<int> ranks, std::string message, std::string cause = {});
  void died(int rank);
  void start_if_complete();
  void gather(int rank, const Json& message, Time now);
  void look_for_the_absent(Time now);
  void look_for_the_dead(Time now);
  void look_for_the_stuck(Time now);
  /// Ends the run with `symptom_` if no rank has reported a cause for some time.
  void fail_with_symptom(Time now);
  /// The ranks for which others may be waiting: those that are working and have the lowest step and part.
  std::vector<int> furthest_behind() const;

  std::vector<Member> members_;
  Deadlines deadlines_;
  Time began_, last_tick_;
  bool started_ = false;
  std::string own_address_;
  std::deque<Outgoing> outgoing_;
  std::deque<Json> reports_;
  std::optional<Failure> failure_;
  std::optional<Failure> symptom_;  ///< an error that may be the result of another rank's failure
  Time symptom_since_{};
};

}  // namespace rv::workers
