#include "monitor/jobs/run_view.h"

#include <algorithm>

#include "base/walltime.h"
#include "monitor/jobs/chain.h"
#include "monitor/jobs/run_jobs.h"
#include "monitor/jobs/state_of_ending.h"
#include "planner/slurm_words/job_reason.h"
#include "shared/documents/json_integer.h"

namespace rv::monitor {
namespace {

const Event* last_event(const RunFacts& facts, EventKind kind) {
  const auto found =
      std::find_if(facts.events.rbegin(), facts.events.rend(), [&](const auto& event) { return event.name == kind; });
  return found == facts.events.rend() ? nullptr : &*found;
}

// How long to wait for Slurm's state of a job whose command received TERM, before only its own record counts.
constexpr std::chrono::minutes patience(5);

class Assessment {
 public:
  Assessment(const RunFacts& facts, const std::map<slurm::JobId, JobStatus>& statuses, TimePoint now)
      : facts_(facts), now_(now) {
    const auto journals = journals_of(facts);
    for (std::size_t i = 0; i < journals.size(); ++i) {
      CandidateView candidate{facts.record.candidates[i], journals[i], std::nullopt};
      if (candidate.journal.job) {
        if (const auto found = statuses.find(*candidate.journal.job); found != statuses.end()) {
          candidate.status = found->second;
        }
      }
      view_.candidates.push_back(std::move(candidate));
    }
  }

  RunView run() {
    notes();
    if (facts_.record.job.chain) measure_chain();
    if (facts_.record.job.array) measure_array();
    if (facts_.outcome) {
      view_.state = facts_.outcome->state;
      view_.detail = facts_.outcome->detail;
      view_.exit_code = facts_.outcome->exit_code;
      view_.ended = facts_.outcome->time;
    } else if (facts_.exit) {
      exited(*facts_.exit);
    } else if (facts_.claim && facts_.claim->by_stop) {
      if (facts_.earlier_end) {
        take_earlier_end(view_, facts_, "stopped before it was started again");
      } else {
        view_.state = RunState::stopped;
        view_.detail = "stopped before it started";
        view_.ended = facts_.claim->time;
      }
    } else if (facts_.claim) {
      claimed();
    } else {
      racing();
    }
    if (facts_.copies.announced > 0 && is_final(view_.state)) judge_copy();
    return std::move(view_);
  }

 private:
  void notes() {
    // The job of a run that follows another looks at that one first, and may end there.
    const bool never_began =
        facts_.exit && (facts_.exit->kind == ExitKind::predecessor || facts_.exit->kind == ExitKind::unqueued);
    if (facts_.claim && !facts_.claim->by_stop && !never_began) {
      view_.winner = facts_.claim->candidate;
      view_.started = facts_.claim->time;
      view_.nodes = facts_.claim->node;
      if (const auto* event = last_event(facts_, EventKind::claimed))
        view_.nodes = event->more.value("nodes", view_.nodes);
    }
    for (const auto& event : facts_.events) {
      if (event.name == EventKind::wrong_gpu) {
        view_.warnings.push_back("asked for " + event.more.value("asked", std::string("?")) + ", got " +
                                 event.more.value("got", std::string("?")) + " on " +
                                 event.more.value("node", std::string("?")));
      } else if (event.name == EventKind::missing_gpu) {
        view_.warnings.push_back("asked for " + std::to_string(integer_or(event.more, "asked", 0)) +
                                 " GPUs per node, " + event.more.value("node", std::string("?")) + " shows " +
                                 std::to_string(integer_or(event.more, "got", 0)));
      }
    }
  }

  void measure_chain() {
    const auto* status = winner_status();
    const bool alive = status != nullptr && (status->phase == Phase::running || status->phase == Phase::suspended);
    ChainView chain{.segments = facts_.segments,
                    .total = facts_.record.job.chain->total,
                    .used = time_used(facts_.segments, now_, alive),
                    .used_su = std::nullopt};
    if (view_.winner) {
      const auto& winner = facts_.record.candidates.at(static_cast<std::size_t>(*view_.winner - 1));
      const double hours = std::chrono::duration<double, std::ratio<3600>>(chain.used).count();
      if (winner.su_per_hour) chain.used_su = *winner.su_per_hour * hours;
    }
    view_.chain = std::move(chain);
  }

  void measure_array() {
    view_.array = ArrayView{facts_.elements, facts_.record.job.array->elements};
    for (const auto& element : facts_.elements) {
      if (element.exit) view_.log_sizes.insert(element.exit->log_sizes.begin(), element.exit->log_sizes.end());
    }
  }

  void finish(RunState state, std::string detail) {
    view_.state = state;
    view_.detail = std::move(detail);
  }

  void exited(const ExitRecord& exit) {
    view_.ended = exit.time;
    if (!facts_.record.job.array) view_.log_sizes = exit.log_sizes;
    if (was_told(exit.kind)) return told_to_end(exit);
    if (facts_.record.job.hold) return finish(RunState::done, "released" + given_back());
    if (exit.kind == ExitKind::stopped) return finish(RunState::stopped, "on request" + elements());
    if (exit.kind == ExitKind::time_up) {
      return finish(RunState::timeout, "the requested time is used up; its checkpoint is kept");
    }
    if (exit.kind == ExitKind::no_progress) {
      return finish(RunState::failed,
                    "segment " + std::to_string(facts_.segments.size()) +
                        " saved nothing in RV_CHECKPOINT_DIR: the next segment would repeat the same work");
    }
    if (const auto end = end_without_start(exit, facts_.record.job.after)) {
      view_.exit_code = end->exit_code;
      return finish(end->state, end->detail);
    }
    view_.exit_code = exit.code;
    if (exit.code == 0) return finish(RunState::done, "exit code 0" + elements());
    finish(RunState::failed, exit_code_words(exit.code) + crashes() + elements());
  }

  // The command has ended, and its job copies `--output`, until that job is over.
  void judge_copy() {
    if (!facts_.copies.unfinished()) {
      view_.output_copy = facts_.copies.failed > 0 ? CopyState::failed : CopyState::copied;
    } else if (facts_.outcome) {
      view_.output_copy = facts_.outcome->copy.value_or(CopyState::unknown);
    } else {
      view_.output_copy = unfinished_copy();
    }
    const bool failed = view_.output_copy == CopyState::failed && !facts_.copies.trouble.empty();
    view_.copy_trouble = failed ? facts_.copies.trouble : std::string(in_words(*view_.output_copy));
    if (facts_.outcome) return;
    if (view_.output_copy == CopyState::under_way) view_.state = RunState::ending;
    if (!view_.copy_trouble.empty()) view_.detail += "; " + view_.copy_trouble;
  }

  CopyState unfinished_copy() const {
    const auto* status = winner_status();
    switch (status != nullptr ? status->phase : Phase::unknown) {
      case Phase::pending:
      case Phase::held:
        return CopyState::requeued;
      case Phase::ended:
        break;
      default:
        return CopyState::under_way;
    }
    switch (status->ending.value_or(Ending::failed)) {
      case Ending::timeout:
      case Ending::deadline:
        return CopyState::timeout;
      case Ending::cancelled:
        return CopyState::cancelled;
      default:
        return CopyState::unknown;
    }
  }

  // Why is Slurm's to say; that it was asked for is ours.
  void told_to_end(const ExitRecord& exit) {
    if (facts_.stop_requested) return stopped();
    const auto* status = winner_status();
    const auto phase = status != nullptr ? status->phase : Phase::unknown;
    const bool restarts = rules_of(facts_.record).may_restart;
    if (restarts && (phase == Phase::pending || phase == Phase::held)) {
      view_.ended.reset();
      return finish(RunState::queued, "ended by Slurm, and queued again: " + planner::job_reason(status->reason).words);
    }
    const auto ending = phase == Phase::ended ? status->ending : std::nullopt;
    if (ending && state_of_ending(*ending) != RunState::lost) {
      return finish(state_of_ending(*ending), "the job " + std::string(in_words(*ending)) + elements());
    }
    if (exit.kind == ExitKind::preempted && (ending || !restarts)) {
      return finish(RunState::preempted, "the job was preempted" + elements());
    }
    // Slurm did not end it: the signal came from the command itself (kill 0) or from somebody on the node.
    if (ending == Ending::completed || ending == Ending::failed) {
      if (facts_.record.job.hold) return finish(RunState::done, "released");
      const auto requeued = was_requeued(exit.job);
      if (!requeued)
        return finish(RunState::ending, "received TERM; Slurm has not reported yet whether it was requeued");
      view_.exit_code = exit.code;
      view_.unexplained_term = !*requeued;
      std::string words = exit_code_words(exit.code) + " after TERM";
      if (view_.unexplained_term) {
        words += " that Slurm did not send";
      } else {
        words += ": its job was requeued (scontrol requeue or requeuehold), and ";
        words += restarts ? "Slurm's next start of the job failed" : "the command may run only once";
      }
      return finish(exit.code == 0 ? RunState::done : RunState::failed, words + elements());
    }
    if (ending == Ending::forgotten || ending == Ending::purged) {
      return finish(RunState::lost, "received TERM, and the job " + std::string(in_words(*ending)));
    }
    // An epilog that hangs, or an administrator who has put it back and holds it: nothing of it can start any more.
    const bool stuck = phase == Phase::completing || phase == Phase::pending || phase == Phase::held;
    if (stuck && !restarts && now_ - exit.time > patience) {
      view_.exit_code = exit.code;
      const std::string words = phase == Phase::completing ? "is still being cleaned up" : "is queued again";
      return finish(RunState::failed, exit_code_words(exit.code) + " after TERM; the job " + words);
    }
    finish(RunState::ending, "received TERM; Slurm has not reported why yet");
  }

  // Slurm started that very job again, so it ended the start before on somebody's request. Slurm's own count says so,
  // or the record of the later start, which is missing when the node refused it before the job script began. Nothing
  // while Slurm has not said its count: then no record of a later start proves nothing.
  std::optional<bool> was_requeued(JobId job) const {
    const int restart = facts_.standing.exit ? facts_.standing.exit->restart : 0;
    const auto* status = winner_status();
    const auto counted = status != nullptr ? status->restarts : std::nullopt;
    if (counted && *counted > restart) return true;
    const bool recorded = std::any_of(facts_.events.begin(), facts_.events.end(), [&](const Event& event) {
      if (event.name == EventKind::claimed && event.job == job && integer_or(event.more, "restarts", 0) > restart)
        return true;
      const bool stood_back = event.name == EventKind::stood_back || event.name == EventKind::refused_restart;
      return stood_back && event.job == job;
    });
    return recorded || counted ? std::optional(recorded) : std::nullopt;
  }

  std::string elements() const {
    return view_.array ? "; " + element_words(facts_.elements, facts_.record.job.array->elements) : "";
  }

  // Given back by the job itself.
  std::string given_back() const {
    const auto* event = last_event(facts_, EventKind::ended);
    if (event == nullptr) return "";
    for (const auto& [key, words] :
         {std::pair{"unattended_s", ": no shell was open for "}, std::pair{"idle_s", ": its GPUs were idle for "}}) {
      const int seconds = integer_or(event->more, key, 0);
      if (seconds > 0) return words + format_duration(std::chrono::seconds(seconds));
    }
    return "";
  }

  std::string crashes() const {
    const int fruitless = fruitless_segments(facts_.segments);
    return fruitless < 2 ? "" : " after " + std::to_string(fruitless) + " segments without progress";
  }

  // On the user's word, after it had started. For an allocation that is its proper end.
  void stopped() {
    if (facts_.record.job.hold) return finish(RunState::done, "released");
    finish(RunState::stopped, "on request");
  }

  void claimed() {
    const auto* status = winner_status();
    if (facts_.record.job.chain) return in_chain(status);
    if (facts_.record.job.array && status != nullptr) return in_array(*status);
    const bool ready = facts_.has_started();
    const RunState alive = !ready ? RunState::starting : facts_.record.job.hold ? RunState::holding : RunState::running;
    if (status == nullptr || status->phase == Phase::unknown) {
      // Not asked yet, or nobody answers: the claim says it began, nothing says it ended.
      return finish(status == nullptr ? alive : RunState::unknown, "on " + view_.nodes);
    }
    if (!status->node_list.empty()) view_.nodes = status->node_list;
    switch (status->phase) {
      case Phase::pending:
      case Phase::held:
        return finish(RunState::queued, "requeued: " + planner::job_reason(status->reason).words);
      case Phase::configuring:
        return finish(RunState::starting, "nodes are being prepared: " + view_.nodes);
      case Phase::running:
        return finish(alive, "on " + view_.nodes);
      case Phase::suspended:
        return finish(RunState::running, "suspended on " + view_.nodes);
      case Phase::completing:
        return finish(RunState::ending, "on " + view_.nodes);
      case Phase::ended: {
        const auto ending = status->ending.value_or(Ending::failed);
        if (!ready && facts_.earlier_end) {
          const std::string words = "the job " + std::string(in_words(ending)) + " before it was started again";
          return take_earlier_end(view_, facts_, facts_.stop_requested ? "stopped before it was started again" : words);
        }
        if (facts_.stop_requested && ending == Ending::cancelled) return stopped();
        if (facts_.record.job.hold && ending == Ending::completed) return finish(RunState::done, "released");
        const auto state = state_of_ending(ending);
        return finish(state, "the job " + std::string(in_words(ending)) +
                                 (state == RunState::lost ? " without a record of the command's exit code" : ""));
      }
      case Phase::unknown:
        break;
    }
  }

  // Some of its elements have begun.
  void in_array(const JobStatus& status) {
    const auto& indices = facts_.record.job.array->elements;
    const std::string words = element_words(facts_.elements, indices);
    switch (status.phase) {
      case Phase::unknown:
        return finish(RunState::unknown, words);
      case Phase::pending:
      case Phase::held:
        return finish(RunState::queued, words + ", the others: " + planner::job_reason(status.reason).words);
      case Phase::configuring:
      case Phase::running:
      case Phase::suspended:
      case Phase::completing:
        return finish(RunState::running, words);
      case Phase::ended:
        break;
    }
    const auto ending = status.ending.value_or(Ending::failed);
    if (facts_.stop_requested && ending == Ending::cancelled) {
      return finish(RunState::stopped, "on request; " + words);
    }
    finish(state_of_ending(ending), "the job " + std::string(in_words(ending)) + "; " + words +
                                        ", without a record of their end: " + without_end(facts_.elements, indices));
  }

  // Between its first start and its end, over all of its jobs.
  void in_chain(const JobStatus* status) {
    const bool open = !facts_.segments.empty() && !facts_.segments.back().end;
    const std::string here = segment_words(facts_, open ? 0 : 1);
    if (status == nullptr) return finish(RunState::running, here);
    if (!status->node_list.empty()) view_.nodes = status->node_list;
    switch (status->phase) {
      case Phase::unknown:
        return finish(RunState::unknown, here);
      case Phase::pending:
      case Phase::held:
        return finish(RunState::queued, segment_words(facts_, 1) + ": " + planner::job_reason(status->reason).words);
      case Phase::configuring:
        return finish(RunState::starting, here + ": nodes are being prepared: " + view_.nodes);
      case Phase::running:
        return finish(open ? RunState::running : RunState::starting, here + " on " + view_.nodes);
      case Phase::suspended:
        return finish(RunState::running, here + " suspended on " + view_.nodes);
      case Phase::completing:
        // The next segment's job is on record a moment after this one's end.
        return finish(RunState::running, here + " is ending on " + view_.nodes);
      case Phase::ended:
        break;
    }
    const auto ending = status->ending.value_or(Ending::failed);
    // Its job was lost between the end of the last segment and the record of the run's.
    if (!open && !facts_.segments.empty() && facts_.segments.back().end->reason == SegmentReason::finished) {
      view_.exit_code = 0;
      return finish(RunState::done, "segment " + std::to_string(facts_.segments.back().number) + " finished");
    }
    if (facts_.stop_requested || ending == Ending::cancelled) return stopped();
    if (const auto next = next_segment(facts_, *status)) {
      return finish(RunState::queued, "segment " + std::to_string(next->number) + " will be submitted: " + next->why);
    }
    finish(state_of_ending(ending),
           "the job " + std::string(in_words(ending)) + "; its last segments ended without a record");
  }

  void racing() {
    const auto count = [&](auto&& condition) {
      return std::count_if(view_.candidates.begin(), view_.candidates.end(), condition);
    };
    const auto in_phase = [&](Phase phase) {
      return [phase](const CandidateView& c) { return c.status && c.status->phase == phase; };
    };
    const auto total = static_cast<std::ptrdiff_t>(view_.candidates.size());
    const auto jobs = count([](const CandidateView& c) { return c.journal.job.has_value(); });
    const auto refused = count([](const CandidateView& c) { return !c.journal.refusal.empty(); });
    if (count(in_phase(Phase::running)) + count(in_phase(Phase::configuring)) > 0) {
      return finish(RunState::starting, starting_detail());
    }
    if (count(in_phase(Phase::pending)) + count(in_phase(Phase::held)) + count(in_phase(Phase::suspended)) > 0) {
      return finish(RunState::queued, queued_detail());
    }
    if (refused == total && total > 0) {
      const auto& words = view_.candidates.front().journal.refusal;
      if (facts_.earlier_end) return take_earlier_end(view_, facts_, "it could not be started again: " + words);
      return finish(RunState::refused, words);
    }
    if (jobs == 0) {
      if (facts_.stop_requested && facts_.earlier_end && !facts_.being_submitted) {
        return take_earlier_end(view_, facts_, "stopped before it was started again");
      }
      const auto silent = std::find_if(view_.candidates.begin(), view_.candidates.end(),
                                       [](const CandidateView& c) { return c.journal.unanswered > 0; });
      const std::string wait =
          silent == view_.candidates.end() ? "" : "sbatch does not answer: " + silent->journal.no_answer;
      return facts_.being_submitted ? finish(RunState::submitting, wait)
                                    : finish(RunState::unsubmitted, "no candidate has been accepted yet");
    }
    const auto ended = count(in_phase(Phase::ended));
    if (ended == jobs && !facts_.being_submitted) return never_started();
    // Accepted, and nobody has been asked (or answers) yet.
    finish(count(in_phase(Phase::unknown)) == jobs ? RunState::unknown : RunState::queued,
           std::to_string(jobs) + (jobs == 1 ? " candidate" : " candidates") + " submitted");
  }

  // Every job ended and none passed the gate.
  void never_started() {
    const auto found = std::find_if(view_.candidates.begin(), view_.candidates.end(),
                                    [](const CandidateView& c) { return c.status && c.status->phase == Phase::ended; });
    const auto ending = found->status->ending.value_or(Ending::failed);
    const std::string job = "job " + slurm::to_string(*found->journal.job) + " " + std::string(in_words(ending));
    if (facts_.earlier_end) {
      return take_earlier_end(
          view_, facts_,
          facts_.stop_requested ? "stopped before it was started again" : job + " before it was started again");
    }
    finish(state_of_ending(ending), job + " before the run started");
  }

  std::string starting_detail() const {
    for (const auto& c : view_.candidates) {
      if (c.status && (c.status->phase == Phase::running || c.status->phase == Phase::configuring)) {
        return c.candidate.summary + " on " + c.status->node_list;
      }
    }
    return "";
  }

  std::string queued_detail() const {
    for (const auto& c : view_.candidates) {
      if (c.status && (c.status->phase == Phase::pending || c.status->phase == Phase::held)) {
        return c.candidate.summary + ": " + planner::job_reason(c.status->reason).words;
      }
    }
    return "";
  }

  const JobStatus* winner_status() const {
    if (!facts_.claim || facts_.claim->by_stop) return nullptr;
    for (const auto& c : view_.candidates) {
      if (c.candidate.number == facts_.claim->candidate) return c.status ? &*c.status : nullptr;
    }
    return nullptr;
  }

  const RunFacts& facts_;
  TimePoint now_;
  RunView view_;
};

}  // namespace

void take_earlier_end(RunView& view, const RunFacts& facts, const std::string& why) {
  const auto& end = *facts.earlier_end;
  view.state = end.state;
  view.exit_code = end.exit_code;
  view.detail = end.detail + "; " + why;
  view.ended = end.time;
}

RunView assess(const RunFacts& facts, const std::map<slurm::JobId, JobStatus>& statuses, TimePoint now) {
  return Assessment(facts, statuses, now).run();
}

std::optional<std::chrono::seconds> time_limit_of(const RunView& view) {
  if (!view.winner || view.chain || view.array) return std::nullopt;
  const auto limit = view.candidates.at(static_cast<std::size_t>(*view.winner - 1)).candidate.time_limit;
  return limit.count() > 0 ? std::optional(limit) : std::nullopt;
}

std::optional<TimePoint> ends_by(const RunView& view) {
  const auto limit = time_limit_of(view);
  if (!limit || !view.started || is_final(view.state)) return std::nullopt;
  return *view.started + *limit;
}

}  // namespace rv::monitor
