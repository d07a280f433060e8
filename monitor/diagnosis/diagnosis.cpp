#include "monitor/diagnosis/diagnosis.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/walltime.h"
#include "monitor/diagnosis/bad_nodes.h"
#include "monitor/diagnosis/element_causes.h"
#include "monitor/diagnosis/findings.h"
#include "monitor/diagnosis/log_excerpt.h"
#include "monitor/diagnosis/recorded_end.h"
#include "planner/slurm_words/job_reason.h"
#include "shared/documents/json_integer.h"

namespace rv::monitor {
namespace {

constexpr std::size_t most_proofs = 3;

Proof proof_of(const Finding& finding) {
  Proof proof{.source = finding.log->file, .line = {}, .text = finding.failure.text};
  if (finding.log->first_line) proof.line = *finding.log->first_line + static_cast<long>(finding.failure.line);
  return proof;
}

/// Twice as much, in whole GiB where it is one or more, above 100 GiB in tens.
Mebibytes doubled(Mebibytes memory) {
  constexpr std::int64_t gib = 1024;
  const std::int64_t twice = 2 * memory.count;
  if (twice < gib) return {twice};
  const std::int64_t step = twice > 100 * gib ? 10 * gib : gib;
  return {(twice + step - 1) / step * step};
}

class Diagnosing {
 public:
  explicit Diagnosing(const RunEvidence& evidence) : evidence_(evidence), findings_(findings_in(evidence)) {}

  Diagnosis run() {
    by_state();
    if (result_.advice.empty()) advise_more_memory();
    const auto& text = text_of(result_.cause);
    if (result_.summary.empty()) result_.summary = text.text;
    if (result_.advice.empty()) result_.advice = text.advice;
    result_.retry_elsewhere = text.elsewhere;
    if (text.blames_node && result_.bad_nodes.empty()) blame_only_node(result_, evidence_);
    if (result_.cause == Cause::unknown || result_.cause == Cause::killed) add_log_excerpt(result_, evidence_);
    add_others();
    result_.elements = element_causes(evidence_, findings_);
    return std::move(result_);
  }

 private:
  void by_state() {
    switch (evidence_.view.state) {
      case RunState::submitting:
      case RunState::starting:
      case RunState::running:
      case RunState::holding:
      case RunState::ending:
        return set_cause(Cause::under_way, std::string(to_string(evidence_.view.state)) +
                                               (evidence_.view.detail.empty() ? "" : ": " + evidence_.view.detail));
      case RunState::unsubmitted:
        return set_cause(Cause::not_submitted);
      case RunState::queued:
        return pending();
      case RunState::done:
        return set_cause(Cause::nothing_wrong);
      case RunState::refused:
        return refused();
      case RunState::stopped:
        return cancelled();
      case RunState::timeout:
        set_cause(Cause::time_limit, limit_words());
        if (slurm_recorded(evidence_, Ending::deadline)) {
          set_cause(Cause::time_limit, "its deadline passed (--deadline)");
          result_.advice = "submit it earlier, with a later deadline or a shorter --time";
        }
        return add_proofs();
      case RunState::preempted:
        set_cause(Cause::preempted);
        return add_proofs();
      case RunState::out_of_memory:
        set_cause(Cause::out_of_memory);
        return add_proofs();
      case RunState::node_failure:
        set_cause(Cause::node_failure);
        blame_failed_nodes(result_, evidence_);
        return add_proofs();
      case RunState::failed:
      case RunState::lost:
        return failed();
      case RunState::unknown:
        set_cause(Cause::unknown, "Slurm does not answer for its job, so rv can't tell whether it has ended");
        result_.advice = "run rv why again when Slurm answers";
        return;
    }
  }

  void advise_more_memory() {
    if (result_.cause != Cause::out_of_memory && result_.cause != Cause::killed) return;
    if (!evidence_.memory) return;
    result_.advice = "this run had " + format_memory(*evidence_.memory) + " a node; try --mem " +
                     format_memory(doubled(*evidence_.memory));
    if (result_.cause == Cause::killed) {
      result_.advice += "; if that does not help, ask the administrators about the node";
    }
  }

  void set_cause(Cause cause, std::string summary = "") {
    result_.cause = cause;
    result_.summary = std::move(summary);
  }

  // The logs' lines for the cause at hand, then Slurm's own word.
  void add_proofs() {
    for (const auto& finding : findings_) {
      if (finding.cause() != result_.cause) continue;
      if (result_.proofs.size() < most_proofs) result_.proofs.push_back(proof_of(finding));
      if (text_of(result_.cause).blames_node) blame_node_of(result_, finding);
    }
    if (const auto& record = evidence_.record) {
      result_.proofs.push_back(
          {"scontrol", {}, slurm_words(record->state, record->exit_status, record->exit_signal, record->preempted)});
    } else if (const auto& row = evidence_.accounting) {
      result_.proofs.push_back({"sacct", {}, slurm_words(row->state, row->exit_status, row->exit_signal)});
    } else if (result_.proofs.empty() && evidence_.facts.outcome) {
      result_.proofs.push_back({"outcome.json", {}, evidence_.facts.outcome->detail});
    }
  }

  static std::string slurm_words(const std::string& state, int status, int signal, bool preempted = false) {
    return "State=" + state + " ExitCode=" + std::to_string(status) + ":" + std::to_string(signal) +
           (preempted && state != "PREEMPTED" ? ", preempted (PreemptTime)" : "");
  }

  void pending() {
    set_cause(Cause::pending);
    std::string fallback;
    for (const auto& candidate : evidence_.view.candidates) {
      if (!candidate.journal.refusal.empty()) {
        result_.proofs.push_back({"events.jsonl", {}, candidate.candidate.summary + ": " + candidate.journal.refusal});
      }
      if (!candidate.status) continue;
      const auto reason = planner::job_reason(candidate.status->reason);
      result_.proofs.push_back({candidate.status->source, {}, candidate.candidate.summary + ": " + reason.words});
      if (result_.summary.empty()) result_.summary = "it is waiting in the queue: " + reason.words;
      if (reason.blocked()) {
        result_.summary = "it will not start by itself: " + reason.words;
        result_.advice = reason.advice;
      } else if (fallback.empty()) {
        fallback = reason.advice;
      }
    }
    if (result_.advice.empty()) result_.advice = fallback;
  }

  bool ended_as(ExitKind kind) const { return evidence_.facts.exit && evidence_.facts.exit->kind == kind; }

  void refused() {
    set_cause(Cause::refused);
    for (const auto& candidate : evidence_.view.candidates) {
      result_.proofs.push_back({"events.jsonl", {}, candidate.candidate.summary + ": " + candidate.journal.refusal});
    }
  }

  void cancelled() {
    if (ended_as(ExitKind::predecessor)) {
      set_cause(Cause::predecessor, evidence_.view.detail);
      return result_.proofs.push_back({"ledger", {}, "predecessor"});
    }
    if (ended_as(ExitKind::unqueued)) {
      set_cause(Cause::unqueued, evidence_.view.detail);
      return result_.proofs.push_back({"ledger", {}, "unqueued"});
    }
    if (evidence_.facts.stop_requested) {
      set_cause(Cause::cancelled, "it was stopped with rv");
      result_.proofs.push_back({"ledger", {}, "stop"});
      return;
    }
    if (ended_as(ExitKind::stopped)) return stopped_elements();
    if (const auto& nodes = evidence_.failed_prologs; !nodes.empty()) {
      for (const auto& node : nodes) blame(result_, node);
      set_cause(Cause::launch_failure, "the prolog failed on " + joined(nodes) + ", and Slurm cancelled the job");
      result_.proofs.push_back({"scontrol", {}, "node " + joined(nodes) + ": Reason=Prolog error"});
      return;
    }
    const auto& row = evidence_.accounting;
    if (!row || !row->cancelled_by) {
      set_cause(Cause::cancelled, "its job was cancelled; the user who did it is not known");
      if (!row) result_.advice = "try again in a few seconds: accounting records the user with a delay";
      return add_proofs();
    }
    const auto user = *row->cancelled_by;
    set_cause(Cause::cancelled, user == evidence_.user ? "its job was cancelled by you (scancel)"
                                : user == 0            ? "its job was cancelled by root, an administrator"
                                                       : "its job was cancelled by user " + std::to_string(user));
    if (user != evidence_.user) result_.advice = "ask the administrators why";
    result_.proofs.push_back({"sacct", {}, "State=CANCELLED by " + std::to_string(user)});
  }

  /// By rv stop --element: of an array those elements, or the one that is explained.
  void stopped_elements() {
    std::vector<int> stopped;
    for (const auto& element : evidence_.view.array ? evidence_.view.array->elements : std::vector<Element>()) {
      if (element.exit && element.exit->kind == ExitKind::stopped) stopped.push_back(element.index);
    }
    if (stopped.empty()) {
      set_cause(Cause::cancelled, "it was stopped with rv (rv stop --element)");
      return result_.proofs.push_back({"events.jsonl", {}, "stop_requested"});
    }
    const auto words = elements_in_words(stopped);
    set_cause(Cause::cancelled,
              words + (stopped.size() == 1 ? " was" : " were") + " stopped with rv (rv stop --element)");
    result_.proofs.push_back({"events.jsonl", {}, "stop_requested: " + words});
  }

  void failed() {
    if (ended_as(ExitKind::set_up)) {
      // The working folder is entered before the lines.
      const bool no_folder = std::any_of(findings_.begin(), findings_.end(),
                                         [](const Finding& f) { return f.cause() == Cause::work_folder; });
      set_cause(no_folder ? Cause::work_folder : Cause::set_up, no_folder ? "" : evidence_.view.detail);
      return add_proofs();
    }
    if (failed_preflight()) return;
    if (ended_as(ExitKind::no_progress)) {
      set_cause(Cause::no_progress, evidence_.view.detail);
      return add_proofs();
    }
    const int code = exit_code_in(evidence_);
    if (refused_restart() || stalled()) return;
    if (slurm_recorded(evidence_, Ending::out_of_memory)) {
      set_cause(Cause::out_of_memory);
      return add_proofs();
    }
    const auto strong =
        std::find_if(findings_.begin(), findings_.end(), [](const Finding& f) { return !f.is_warning(); });
    const bool log_tells = strong != findings_.end();
    if (!log_tells && was_preempted(evidence_)) {
      set_cause(Cause::preempted);
      return add_proofs();
    }
    if (gpu_missing(log_tells ? std::optional(strong->cause()) : std::nullopt)) return;
    if (log_tells) {
      set_cause(strong->cause(), particulars_of(*strong));
    } else if (batch_signal_in(evidence_) == 53) {
      // Slurm's own for a batch script whose output file could not be opened.
      set_cause(Cause::launch_failure, "Slurm could not open the job's log: the node can't read the run folder");
    } else if (code == 137) {
      set_cause(Cause::killed);
      result_.proofs.push_back({"ledger", {}, "exit code 137 = 128 + 9, KILL"});
    } else if (code == 127) {
      set_cause(Cause::command_not_found);
      result_.proofs.push_back({"ledger", {}, "exit code 127"});
    } else if (code == 126) {
      set_cause(Cause::permission, "the program can't be executed");
      result_.proofs.push_back({"ledger", {}, "exit code 126"});
    } else if (!findings_.empty()) {
      set_cause(findings_.front().cause());
    } else {
      return not_known(code);
    }
    add_proofs();
  }

  void not_known(int code) {
    if (code > 128 && code < 128 + 65) {
      set_cause(Cause::unknown, "the command was ended by " + signal_name(code - 128) + "; the cause is not known");
    } else if (code > 0) {
      set_cause(Cause::unknown,
                "the command ended with exit code " + std::to_string(code) + "; the cause is not known");
    } else {
      set_cause(Cause::unknown, "the job ended without a record of the command's exit code; the cause is not known");
    }
    add_proofs();
  }

  /// Of the present attempt, or of an earlier one if this one did not begin.
  bool failed_preflight() {
    const auto& facts = evidence_.facts;
    auto exit = facts.exit;
    if (!exit && facts.earlier_end && facts.earlier_end->unstarted) exit = exit_record(facts.standing.earlier_exit);
    if (!exit || exit->kind != ExitKind::preflight) return false;
    set_cause(Cause::preflight, evidence_.view.detail);
    for (const auto& node : exit->bad_nodes) blame(result_, node);
    result_.proofs.push_back({"ledger", {}, "preflight: " + exit->last_output});
    return true;
  }

  /// The watch ended the command. What its processes printed while they ended does not count.
  bool stalled() {
    const auto& events = evidence_.facts.events;
    const auto found = std::find_if(events.rbegin(), events.rend(),
                                    [](const Event& event) { return event.name == EventKind::stalled; });
    if (found == events.rend() || integer_or(found->more, "ends", 0) == 0 || exit_code_in(evidence_) == 0) return false;
    set_cause(Cause::stalled,
              "it made no progress for " +
                  format_duration(std::chrono::seconds(integer_or(found->more, "silent_s", std::int64_t{0}))) +
                  ", and --on-stall ended it");
    const auto suspect = found->more.value("suspect", std::string());
    result_.proofs.push_back({"stall/", {}, suspect.empty() ? "no process stands out" : suspect});
    return true;
  }

  bool refused_restart() {
    const auto& events = evidence_.facts.events;
    if (std::none_of(events.begin(), events.end(),
                     [](const Event& e) { return e.name == EventKind::refused_restart; })) {
      return false;
    }
    set_cause(Cause::restart_refused);
    add_proofs();
    return true;
  }

  // Fewer devices than asked for explain what CUDA and NCCL say, and nothing else.
  bool gpu_missing(std::optional<Cause> in_logs) {
    constexpr std::array explained = {Cause::gpu_driver, Cause::cuda_error,  Cause::nccl,
                                      Cause::rendezvous, Cause::no_gpu_seen, Cause::gpu_busy};
    if (in_logs && std::find(explained.begin(), explained.end(), *in_logs) == explained.end()) return false;
    for (const auto& event : evidence_.facts.events) {
      if (event.name != EventKind::missing_gpu) continue;
      set_cause(Cause::gpu_missing);
      blame(result_, event.more.value("node", std::string()));
      const auto job = event.job ? slurm::to_string(*event.job) : std::string("?");
      result_.proofs.push_back({"jobs/" + job + ".jsonl",
                                {},
                                "missing_gpu: asked " + std::to_string(integer_or(event.more, "asked", 0)) + ", got " +
                                    std::to_string(integer_or(event.more, "got", 0))});
    }
    return result_.cause == Cause::gpu_missing;
  }

  // What Python raised is the cause itself; other causes have words of their own.
  static std::string particulars_of(const Finding& finding) {
    const auto& error = finding.failure.error;
    return error && finding.cause() == Cause::python_exception ? failures::describe(*error) : "";
  }

  std::string limit_words() const {
    const auto* winner = winner_of(evidence_.view);
    if (winner == nullptr || winner->candidate.time_limit.count() == 0) return "";
    const auto limit = winner->candidate.time_limit;
    constexpr std::chrono::minutes minute(1);
    // The limit may have been changed since the submission, and a site may grant more time (OverTimeLimit).
    const auto ran = evidence_.view.array ? std::nullopt : recorded_time(evidence_);
    if (ran && (*ran < limit - minute || *ran > limit + minute)) {
      return "it reached its time limit after " + format_duration(*ran);
    }
    return "it reached its time limit of " + format_duration(limit);
  }

  void add_others() {
    if (result_.cause == Cause::nothing_wrong || result_.cause == Cause::under_way) return;
    for (const auto& finding : findings_) {
      const auto cause = finding.cause();
      const bool listed = std::find(result_.also.begin(), result_.also.end(), cause) != result_.also.end();
      if (cause != result_.cause && !finding.is_warning() && !listed) result_.also.push_back(cause);
    }
  }

  const RunEvidence& evidence_;
  std::vector<Finding> findings_;
  Diagnosis result_;
};

}  // namespace

Diagnosis diagnose(const RunEvidence& evidence) {
  return Diagnosing(evidence).run();
}

}  // namespace rv::monitor
