// A chain's segments: jobs that follow each other, the end of each segment in its own file (made once), and its
// start in the ledger. Here is every order of the steps of templates/chain: Slurm starts jobs, requeues them, takes
// nodes that live on for lost, accepts a submission twice; listings are old; a client submits what is missing, stops,
// or writes down that the run is lost.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include "monitor/ledger/ledger.h"

namespace protocol::chain {

constexpr std::size_t max_jobs = 3, max_processes = 3, max_segments = 2;

enum class Step : char { none, look, close, start, runs, end_run, submit, leave };
enum class Queue : char { none, pending, running, over };

struct Process {
  Step step = Step::none;
  char job = 0, segment = 0;  // the segment that it is about to begin or runs
  char known = 0;             // entries of the ledger that its machine has shown it
  char ends = 0;              // by bits: ends of segments that it has shown
  char restart = 0;           // Slurm's count of the job's starts before this one
  bool orphan = false;        // Slurm does not count it as the job's any more
  bool makes_room = false;    // Slurm preempts the job, with a grace, and requeues it once it has ended
  auto operator<=>(const Process&) const = default;
};

/// Of the ledger: "c1" claim by job 1, "s120" start of segment 2 by job 1 after no restart, "x1" exit, "S" stop, "O"
/// outcome; one after the other, with a blank behind each.
struct State {
  std::string ledger;
  std::array<char, max_segments + 1> ends{};  // by segment: f finished, t time limit, p preempted, c crashed, l lost
  std::array<Queue, max_jobs> jobs{};
  std::array<char, max_jobs> restarts{};
  std::array<Process, max_processes> processes{};
  char faults = 0;
  const char* broken = nullptr;
  auto operator<=>(const State&) const = default;
};

struct Setting {
  int faults = 2;
  bool stops = true;
  bool minds_finished = true;  // who finds the last segment finished begins no other
  bool asks_slurm = true;      // whether the job of a segment without an end is over
  bool minds_restarts = true;  // a start that Slurm has not counted does not prove that the former one is over
  bool closes_once = true;     // an end is made once: who is second goes by what is there
};

/// Visits every reachable state.
class Walk {
 public:
  explicit Walk(const Setting& setting);

  /// The shortest path to a forbidden state; empty: there is none.
  std::string find();
  std::size_t states() const { return origins_.size(); }

 private:
  struct Origin {
    const State* from;
    std::string step;
  };

  void add(const State& state, const State* from, std::string step);
  std::string history(const State* state) const;
  const rv::monitor::Standing& standing(const std::string& ledger, std::size_t count);
  bool is_over(const State& state);

  void steps(const State& state);
  void slurm(const State& state);
  /// It acts on what it sees, which may be any earlier state of the ledger.
  void client(const State& state);
  void process(const State& state, std::size_t who);
  /// The gate, and the end of the last segment: any state of the folder that is not older than the last one seen.
  void look(const State& state, std::size_t who, const std::string& name);
  void look_at(const State& state, std::size_t who, std::size_t known, int ends, const std::string& name);
  Step after_last_segment(const State& state, Process& self, const rv::monitor::Standing& seen) const;
  void begin(State& state, std::size_t who);
  void end_segment(const State& state, std::size_t who, const std::string& name);
  void end_run(const State& state, std::size_t who, const std::string& name);
  void submit_next(const State& state, std::size_t who, const std::string& name);

  Setting setting_;
  std::map<State, Origin> origins_;
  std::deque<const State*> open_;
  std::map<std::pair<std::string, std::size_t>, rv::monitor::Standing> standings_;
  bool any_ = false;
};

}  // namespace protocol::chain
