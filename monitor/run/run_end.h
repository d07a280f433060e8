// How a run ended, and which job won its race, from the run's records.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "monitor/ledger/ledger.h"
#include "monitor/run/output_copies.h"
#include "monitor/run/run_state.h"
#include "templates/job_spec.h"

namespace rv::monitor {

struct Claim {
  bool by_stop = false;  // rv stop came before user code: no job of the run may start the command
  int candidate = 0;
  JobId job;
  std::string node;  // the job's first node, or the host where rv stop ran
  TimePoint time;
};

/// Why a command ended, as recorded by its own job.
enum class ExitKind {
  exited,       // none of the kinds below
  terminated,   // the job had received SIGTERM: the exit code may be a result of that
  preempted,    // Slurm preempted the job, and the command ended with a code other than 0
  time_up,      // a chain: all the time that was requested is used
  no_progress,  // a chain: the last segment saved nothing, so the next would start at the same point
  predecessor,  // not started: the run that it follows did not succeed
  unqueued,     // not started: the run that it follows continues, and Slurm did not take the job back into the queue
  stopped,      // an element of an array: rv stop --element ended it, before or after its start
  set_up,       // not started: the set-up lines failed
  preflight,    // not started: the test of the job's nodes failed (in a chain: the last segment was not)
};

/// Whether the command was asked to end. Where repeats are allowed, Slurm may have requeued its job: not the last end.
constexpr bool was_terminated(ExitKind kind) {
  return kind == ExitKind::terminated || kind == ExitKind::preempted;
}

struct ExitRecord {
  int code = 0;
  TimePoint time;
  JobId job;
  ExitKind kind = ExitKind::exited;
  // set_up: last output of the set-up lines; unqueued: Slurm's refusal; preflight: why a node failed
  std::string last_output = {};
  std::vector<std::string> bad_nodes = {};  // preflight: the nodes to leave out
  std::map<std::string, long long> log_sizes =
      {};                      // bytes at the end, by file name in logs/, of the logs that the job knows
  std::string copy_name = {};  // name of the copy's mark without its ending (output_copies.h); empty: nothing to copy
};

/// How a run ended, once that is certain.
struct Outcome {
  RunState state = RunState::lost;
  std::optional<int> exit_code;  // the command's own
  std::string detail;            // text for people
  TimePoint time;
  bool unstarted = false;              // of an attempt whose preflight failed: the command had not begun
  std::optional<CopyState> copy = {};  // the copy of `--output`; nothing if the exit entry did not announce one
};

/// Reads the claim from the ledger. `begun`: whether user code has started, for an array that of any element.
std::optional<Claim> claim_of(const Standing& standing, bool begun);
/// Reads the command's exit from its ledger entry; nothing without an entry.
std::optional<ExitRecord> exit_record(const std::optional<Entry>& exit);
/// Reads the outcome from the ledger. An exit entry of the command that was written after the outcome takes precedence:
/// a client had recorded the outcome without it.
std::optional<Outcome> outcome_of(const Standing& standing);
/// Returns how the last attempt that started user code ended, if that is not the present attempt. Reads the `retry`
/// entry that began the attempt after it. Older versions of rv did not store the end there: then the exit entry is
/// read.
std::optional<Outcome> earlier_end_of(const Standing& standing);
/// Writes and reads the end of an attempt as the next `retry` entry stores it. Reading returns nothing if the value
/// does not have this form.
nlohmann::json to_json(const Outcome& end);
std::optional<Outcome> outcome_from(const nlohmann::json& json);
/// "139 (SIGSEGV)": a shell reports a program that a signal ended as 128 plus the number of the signal.
std::string exit_code_figure(int code);
/// "exit code 139 (SIGSEGV)".
std::string exit_code_words(int code);
/// Returns the outcome if the command was never started (exit kinds predecessor, unqueued, set_up, preflight); nothing
/// for other kinds. `after`: the run that `--after` names.
std::optional<Outcome> end_without_start(const ExitRecord& exit, const std::optional<templates::After>& after);
/// Returns the outcome by the exit record alone. For a command that was asked to end, Slurm may know more: why its job
/// ended, or that it starts again. `segments`: of the chain, so far.
Outcome end_of_exit(const ExitRecord& exit, const std::optional<templates::After>& after, std::size_t segments);
/// Returns the outcome by the command's own exit record, which was written after another outcome.
Outcome outcome_of_late_exit(const ExitRecord& exit);

/// The ledger entry that records an outcome.
Entry entry_of(const Outcome& outcome, int attempt);

}  // namespace rv::monitor
