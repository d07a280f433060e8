#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "workers/ranks/channel.h"

namespace rv::workers {

/// How long anything may take.
struct Deadlines {
  std::chrono::milliseconds join{60000};     ///< from the start until every rank has come
  std::chrono::milliseconds step{60000};     ///< one step of a rank, and one wait for the others
  std::chrono::milliseconds silence{10000};  ///< between two signs of life: a process that hangs or a host that is gone
  std::chrono::milliseconds grace{2000};     ///< from the bad news until a rank that does not end is killed
};

/// Why a run ended before its end.
struct Failure {
  std::vector<int> ranks;  ///< those who did it; empty where it can't be told
  std::string message;     ///< a sentence that names them, by rank and host where known
  std::string cause = {};  ///< "out_of_memory", where the one who did it said so
};

/// Where all ranks meet: who came, who is alive, what each does, and what each gives to all. It has no socket and no
/// clock, so that every way to go wrong can be tested: messages and the time come in as values, messages go out.
class Coordinator {
 public:
  using Time = Clock::time_point;
  struct Outgoing {
    int rank;
    Json message;
  };

  /// `hosts` by rank, empty names where the host is not known before the rank comes.
  Coordinator(std::vector<std::string> hosts, Deadlines deadlines, Time now);

  /// A rank came: its host, process and the address it came from. An answer that is not empty refuses it.
  std::string join(int rank, const std::string& host, int pid, const std::string& address, Time now);
  void receive(int rank, const Json& message, Time now);
  /// A rank's connection broke, which its end explains if its starter can say how it ended.
  void disconnected(int rank, Time now);
  /// The starter's word. The rank's own last words may still be on their way: they count if they come before its
  /// connection breaks, or soon.
  void process_ended(int rank, const std::string& how, Time now);
  /// A process that started ranks is gone without a word.
  void starter_lost(const std::vector<int>& ranks, const std::string& how);
  /// Looks at the deadlines; call it a few times a second.
  void tick(Time now);

  std::deque<Outgoing>& outgoing() { return outgoing_; }
  std::deque<Json>& reports() { return reports_; }  ///< what the ranks want written, in order
  const std::optional<Failure>& failure() const { return failure_; }
  bool all_left() const;
  /// What the run waits for: what the rank that is furthest behind does. Empty before all have come.
  std::string doing() const;
  /// Each address as another host can reach it: a loopback becomes `own`, where that is known.
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
    std::int64_t step = 0, told = 0;  ///< steps, and parts of them
    Time step_since{};
    bool waits = false;     ///< has given its part to the gathering and waits for the others'
    std::string gathering;  ///< its name
    Json part;
    std::optional<Time> disconnected;
    std::optional<Ended> ended;  ///< its process, and its last words have not come yet
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
  void take_the_symptom(Time now);
  /// Those that others may wait for, by rank: they are at work, and none has come less far.
  std::vector<int> furthest_behind() const;

  std::vector<Member> members_;
  Deadlines deadlines_;
  Time began_, last_tick_;
  bool started_ = false;
  std::string own_address_;
  std::deque<Outgoing> outgoing_;
  std::deque<Json> reports_;
  std::optional<Failure> failure_, symptom_;
  Time symptom_since_{};
};

}  // namespace rv::workers
