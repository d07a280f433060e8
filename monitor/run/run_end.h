// How a run ended, and which job claimed it, from its records.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "monitor/ledger/ledger.h"
#include "monitor/run/output_copies.h"
#include "monitor/run/run_state.h"
#include "templates/job_spec.h"

namespace rv::monitor {

struct Claim {
  bool by_stop = false;  // rv stop came before user code: nothing of the run starts any more
  int candidate = 0;
  JobId job;
  std::string node;  // the job's first node, or the host where rv stop ran
  TimePoint time;
};

/// How a command came to its end, as its own job saw it.
enum class ExitKind {
  exited,       // by itself
  terminated,   // a TERM came before: the code may not be the command's own choice
  preempted,    // Slurm preempted the job, and the command ended with a code other than 0
  time_up,      // a chain that has used all the time it was asked for
  no_progress,  // a chain whose last segment saved nothing: the next would begin where it began
  predecessor,  // not started: the run that it follows did not succeed
  unqueued,     // not started: the run that it follows continues, and Slurm did not take the job back into the queue
  stopped,      // of an array's element: rv stop --element ended it, before its start or after
  set_up,       // not started: the set-up lines failed
};

/// The command was asked to end: if it may run again, Slurm may requeue its job.
constexpr bool was_terminated(ExitKind kind) {
  return kind == ExitKind::terminated || kind == ExitKind::preempted;
}

struct ExitRecord {
  int code = 0;
  TimePoint time;
  JobId job;
  ExitKind kind = ExitKind::exited;
  std::string last_output = {};  // of set-up lines that failed; of Slurm, where it refused to queue the job again
  std::map<std::string, long long> log_sizes =
      {};                      // bytes at the end, by file name in logs/, of the logs that the job knows
  std::string copy_name = {};  // the beginning of the name of the copy's mark in jobs/; empty: nothing is copied
};

/// How a run ended, once that is certain.
struct Outcome {
  RunState state = RunState::lost;
  std::optional<int> exit_code;  // the command's own
  std::string detail;            // in words
  TimePoint time;
  std::optional<CopyState> copy = {};  // of `--output`, where the command's record announced one
};

/// What the ledger's entries say. `begun`: user code has; for an array its elements' ledgers tell.
std::optional<Claim> claim_of(const Standing& standing, bool begun);
std::optional<ExitRecord> exit_record(const std::optional<Entry>& exit);
/// The command's own record of its end counts more than what was concluded without it, also when it came later.
std::optional<Outcome> outcome_of(const Standing& standing);
/// How the last attempt that had begun user code ended, from the entry that began the next attempt (or, where a former
/// rv wrote that, from the exit entry). An attempt that never begins does not hide this end.
std::optional<Outcome> earlier_end_of(const Standing& standing);
/// The form in which the entry of a retry holds the end of the attempt before, and back. Nothing for another value.
nlohmann::json to_json(const Outcome& end);
std::optional<Outcome> outcome_from(const nlohmann::json& json);
/// "139 (SIGSEGV)": from 129 on shells report the signal that ended a program as 128 and its number.
std::string exit_code_figure(int code);
/// "exit code 139 (SIGSEGV)".
std::string exit_code_words(int code);
/// The end that an exit entry of a command that was not started stands for; nothing for other exits. `after`: the run
/// of `--after`.
std::optional<Outcome> end_without_start(const ExitRecord& exit, const std::optional<templates::After>& after);
/// By the command's own record, which came after an outcome.
Outcome outcome_of_late(const ExitRecord& exit);

/// The entry that puts an outcome down.
Entry entry_of(const Outcome& outcome, int attempt);

}  // namespace rv::monitor
