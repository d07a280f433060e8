// The protocol as steps that parties take, one at a time, in any order. What they decide is decided by rv's own
// functions; `Broken` holds ways to decide that were once taken, and that the exploration has to find.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "client_decision.h"
#include "ledger_book.h"
#include "model_state.h"

namespace protocol {

/// Ways of old.
enum class Broken {
  nothing,
  start_unseen,           // a retry moves the claim aside without seeing a job that hangs in its set-up
  begun_by_events,        // whether user code has begun is asked of the journal, in the order of several clocks
  blind_outcome,          // a record that an old listing does not show is lost, and the outcome is a file of its own
  gate_open,              // an outcome, or an end, does not close the gate
  winner_hidden,          // a duplicate that has yielded is taken for its candidate's job
  any_exit,               // an exit counts from whatever process of the job
  unfit_starts,           // a job whose preflight has failed starts the command without reading the ledger again
  siblings_of_all,        // a winner cancels jobs of later attempts too
  requeued_anew,          // what Slurm has requeued starts again, whatever end is on record
  any_start,              // whichever start of a job comes first begins, a later one of it or not
  cancel_by_id,           // a client cancels by ID, even if the ID was reused
  over_is_over,           // a client that finds an outcome does not search for jobs that were left
  end_is_success,         // a job that Slurm calls completed is done, with or without a record
  forgets_ended,          // a job that has left Slurm's memory is taken for one that a restarted controller lost
  over_before_copy,       // an exit entry is the run's end, whether or not its job still copies
  cancels_copying,        // a job whose run has an exit entry is cancelled
  retry_without_end,      // a client retries a run with --retries although no end is on record
  retries_uncounted,      // the entry of a retry does not count the retries so far
  follower_trusts_slurm,  // a follower takes a run whose job is over for failed, without an outcome in its ledger
};

struct Setting {
  bool requeue = false;  // --requeue
  int retries = 0;       // --retries; the command may then fail for another reason than hardware
  int candidates = 2;
  int faults = 2;
  int stops = 1;
  bool clocks_behind = false;  // those of compute nodes: their lines sort before what they answer to
  /// A decision and its link in one step. This loses no behaviour: a link after an outdated poll fails and changes
  /// nothing, and the process polls again. For the larger explorations.
  bool links_at_once = false;
  /// Faults beside those of nodes and controllers: scancel that fails, clients that are frozen between a decision and
  /// its scancel, IDs given out again, suspended jobs, hardware that makes the command fail, set-up lines that end the
  /// job.
  bool attacks = false;
  bool refusals = false;  // Slurm may refuse the jobs of a later attempt
  bool waits = false;     // Slurm starts no job of a run that is over: what is left in the queue stays there
  bool follower = false;
  bool copies = false;     // `--output` is copied after the exit entry
  bool preflight = false;  // the nodes' test may fail between the claim and the start
  bool prologs = false;    // a job that is cancelled before its claim had a prolog that failed
  Broken broken = Broken::nothing;
};

/// Things that must not be. 0: all is well.
enum class Fault : std::uint8_t {
  none,
  started_twice,
  retried_too_often,
  started_after_end,
  overtaken,
  end_contradicted,
  foreign_exit,
  never_over,
  never_started,
  left_behind,
  foreign_cancelled,
  result_hidden,
  unproved_success,
  came_back,
  misled,
  started_after_stop,
  copy_cut,
  copy_ignored,
  too_small  // the model's own room
};
std::string_view in_words(Fault fault);

/// What one step was, for people.
struct StepName {
  const char* what = "";
  int who = 0;      // process token, job or client
  int entries = 0;  // of the ledger that it went by
};

class Model {
 public:
  explicit Model(const Setting& setting);

  State initial() const;
  using Visit = std::function<void(const StepName&, const State&)>;
  /// Every state that one step leads to.
  void steps(const State& state, const Visit& visit);
  /// What comes of it when nothing fails any more, everybody sees everything and Slurm answers: a fault when that is
  /// not the end of the run, or not one that its history allows. `known` is asked about every state on the way: whether
  /// its own fair end is known to be well.
  using Known = std::function<bool(const State&)>;
  Fault fair_end(State state, const Known& known, std::string* history = nullptr);

  /// The steps of a single job.
  std::vector<Step> lone_job();

  std::string shown(const StepName& step, const State& state) const;
  const LedgerBook& book() const { return book_; }

 private:
  // Of one party, each in its own file. `fresh`: listings show all.
  void job_steps(const State& state, std::size_t process, bool fresh, const Visit& visit);
  void client_steps(const State& state, std::size_t client, bool fresh, const Visit& visit);
  void slurm_starts(const State& state, const Visit& visit) const;
  void faults(const State& state, const Visit& visit);
  struct Loss {
    const char* what;        // where its process ends,
    const char* what_alive;  // and where it survives
    Slurm how;               // as the controller has it then
    std::uint8_t flags;
  };
  static void lose(const State& base, std::size_t job, const Loss& loss, const Visit& visit);
  void hit_job(const State& base, std::size_t job, const char* what, Slurm how, const Visit& visit);
  void faults_at_work(const State& base, std::size_t job, std::size_t at, const Visit& visit);
  void faults_of_job(const State& base, std::size_t job, const Visit& visit);
  void attacks_at_work(const State& base, std::size_t job, std::size_t at, const Visit& visit);
  void attacks_on_job(const State& base, std::size_t job, const Visit& visit);
  void follower_steps(const State& state, bool fresh, const Visit& visit);
  void follower_polls(const State& state, std::size_t known, const Visit& visit);
  void check_copy(State& state, unsigned jobs) const;
  void cancel(const State& state, std::size_t client, unsigned jobs, const StepName& name, const Visit& visit);
  Slurm answer_about(const Job& job) const;
  void preempt(const State& state, std::size_t job, const Visit& visit);

  /// Which jobs the winner cancels (rv_cancel_siblings in templates/gate/gate.inc.sh): those of its attempt and earlier
  /// ones.
  bool is_sibling(const Job& job, const Job& winner) const;
  void at_gate(const State& state, std::size_t process, int known, const Visit& visit);
  void begin(const State& state, std::size_t process, bool blind, const Visit& visit);
  void step_back(const State& state, std::size_t process, int known, rv::monitor::Verdict verdict, const Visit& visit);
  void ask_slurm(const State& state, std::size_t client, bool fresh, const Visit& visit);
  void decide(const State& state, std::size_t client, int known, bool lines_of_jobs, const Visit& visit);
  void link_outcome(const State& state, std::size_t client, const Visit& visit);
  void look_before_retry(const State& state, std::size_t client, bool fresh, const Visit& visit);
  void link_retry(const State& state, std::size_t client, const Visit& visit);
  void submit(const State& state, std::size_t client, bool fresh, const Visit& visit);
  void stop_steps(const State& state, std::size_t client, bool fresh, const Visit& visit);
  /// Ends jobs, with and without a record of a command that runs.
  void end_jobs(const State& state, unsigned jobs, Slurm how, const StepName& name, const Visit& visit);

  int length(const State& state) const { return book_.length(state.ledger); }
  const rv::monitor::Standing& standing(const State& state, int known) const;
  rv::monitor::Verdict verdict(const State& state, const Process& process, int known, bool start) const;
  Sight sight(const State& state, const Client& client, int known, bool lines_of_jobs) const;
  template <typename Make>
  void append(State& state, std::uint64_t code, Make&& make);
  void check_end(State& state) const;
  void append_of_client(State& state, rv::monitor::EntryKind kind, int attempt);
  void append_retry(State& state, bool asked);
  void append_of(State& state, const Process& process, rv::monitor::EntryKind kind, const char* word, int code);
  bool looks_in_vain(const State& state, int known) const { return setting_.links_at_once && known != length(state); }
  void then_link(const State& state, std::size_t process, const StepName& step, const Visit& visit);
  void append_outcome(State& state, const Client& client, std::uint8_t word);

  bool fair_round(State& state, std::string* history);
  Fault judge(const State& state) const;

  Setting setting_;
  rv::monitor::LedgerRules rules_;
  LedgerBook book_;
  ClientDecisions decisions_;
};

template <typename Make>
void Model::append(State& state, std::uint64_t code, Make&& make) {
  state.ledger = book_.with(state.ledger, code, make);
  check_end(state);
}

/// Calls `look` for every length that a listing may show: not less than before, and not more than there is.
template <typename Look>
void for_each_view(int known, int length, bool fresh, Look&& look) {
  for (int shown = fresh ? length : known; shown <= length; ++shown) look(shown);
}

/// Ends a process without reporting it to Slurm.
void remove(State& state, std::size_t process);
void rest(Client& client);
/// The process that Slurm counts as the job's; max_processes: none.
std::size_t process_of(const State& state, std::size_t job);

}  // namespace protocol
