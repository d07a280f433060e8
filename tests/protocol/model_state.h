// One moment of the model: the ledger, what Slurm believes, the processes that exist, and the clients. Small and
// without padding, so that it can be hashed as bytes.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

namespace protocol {

constexpr int max_jobs = 5, max_processes = 5, max_clients = 2;

/// A job as the controller sees it.
enum class Slurm : std::uint8_t {
  none,
  pending,
  running,
  completed,
  failed,
  cancelled,
  timeout,
  node_failed,
  forgotten,
  unknown,    // only as an answer: accounting is late
  suspended,  // only as an answer
  refused     // sbatch failed: there is no job
};

// Events of a job, and the journal lines that record them.
enum JobFlag : std::uint8_t {
  line_submitted = 1,
  line_claimed = 2,
  line_yielded = 4,
  line_started = 8,
  lines_of_job = line_claimed | line_yielded | line_started,
  hit = 16,        // a fault, or a process outside the run, has ended it
  restarted = 32,  // Slurm's count of restarts; also where a controller with an older state did not count
  duplicate = 64,  // accepted later than another of its candidate and attempt: an sbatch without an answer
  counted = 128,   // restarted, and Slurm has counted it
};

enum JobCondition : std::uint8_t {
  is_suspended = 1,  // its process does nothing
  is_recycled = 2,   // another job of the user has its ID now
};

struct Job {
  Slurm slurm;
  std::uint8_t attempt, candidate, flags, condition;
};

/// A process of a job's script, by the next operation on the run folder that it is about to do.
enum class Step : std::uint8_t {
  none,
  look_at_gate,   // list, read, rv_at_gate
  link_claim,     // link
  look_at_start,  // the site's set-up, which may hang; list, read, rv_at_start
  link_start,     // link; then the command runs
  link_exit,      // the command runs; link
  copy,           // `--output` is copied; the mark of its end
  leave,          // the job's end reaches Slurm
};

enum ProcessFlag : std::uint8_t {
  orphan = 1,        // Slurm does not count it as the job's any more: its node seems lost, or was forgotten
  siblings_due = 2,  // it has won and is about to cancel the other candidates
  second = 4,        // SLURM_RESTART_COUNT is 1
};

struct Process {
  std::uint8_t job;  // from 1
  Step step;
  std::uint8_t known;  // entries that its machine has shown it
  std::uint8_t token;  // its own
  std::uint8_t flags;
};

inline int restart_of(const Process& process) {
  return process.flags & second ? 1 : 0;
}

enum class Act : std::uint8_t {
  idle,
  look,           // Slurm has answered; now list, read and decide
  write_outcome,  // link the outcome
  reopen,         // another attempt was decided on: list, read, look whether that still holds
  retry,          // link the retry
  submit,         // list, read, sbatch
  look_stop,      // rv stop: list, read
  stop,           // link the stop
  cancel,         // scancel
  after_stop,     // list, read
  stopped,        // link the outcome
  settle,         // rv stop after the end: link the outcome, which rules a retry out
  cancel_late,    // scancel of jobs that were decided on before the client was frozen
};

struct Client {
  Act act;
  std::uint8_t known;
  std::uint8_t word;    // of the outcome; cancel_late: the jobs, by bit
  std::uint8_t failed;  // reopen, retry: the job, from 1; 0: none
  std::array<Slurm, max_jobs> answer;
};

/// A recorded exit of any attempt, until a later start.
enum class Result : std::uint8_t { none, success, failure };

/// The job of a run with --after RUN:ok. It polls this run's ledger from its start on.
enum class FollowerAct : std::uint8_t {
  none,
  poll,   // list, read, squeue
  close,  // link the outcome in this run's ledger
  started,
  refused,
};
struct Follower {
  FollowerAct act;
  std::uint8_t known;
};

struct State {
  std::uint32_t ledger;
  std::array<Job, max_jobs> jobs;
  std::array<Process, max_processes> processes;
  std::array<Client, max_clients> clients;
  std::uint8_t faults, stops;  // that may still come
  std::uint8_t duplicates;     // that may still come of the faults
  std::uint8_t runs;           // how often the command was started
  std::uint8_t tokens;
  std::uint8_t broken;     // an invariant, see invariants.h
  std::uint8_t succeeded;  // an exit with code 0 has counted
  Result result;           // the last one that counted
  Follower follower;
  std::uint8_t said_over;  // rv stop has ended without a stop: it was over already
  std::uint8_t copied;     // the process that made a mark that its copy has ended, the last one
};
static_assert(std::has_unique_object_representations_v<State>);

inline bool is_alive(Slurm slurm) {
  return slurm == Slurm::pending || slurm == Slurm::running || slurm == Slurm::suspended;
}

}  // namespace protocol
