#include "monitor/jobs/run_assessment.h"

#include <algorithm>

#include "monitor/jobs/chain.h"
#include "monitor/jobs/run_jobs.h"

namespace rv::monitor {

RunAssessment::RunAssessment(const RunFacts& run_facts, const std::map<slurm::JobId, JobStatus>& statuses,
                             TimePoint time)
    : facts(run_facts), now(time) {
  const auto journals = journals_of(facts);
  for (std::size_t i = 0; i < journals.size(); ++i) {
    CandidateView candidate{facts.record.candidates[i], journals[i], std::nullopt};
    if (candidate.journal.job) {
      if (const auto found = statuses.find(*candidate.journal.job); found != statuses.end()) {
        candidate.status = found->second;
      }
    }
    view.candidates.push_back(std::move(candidate));
  }
}

void RunAssessment::finish(RunState state, std::string detail) {
  view.state = state;
  view.detail = std::move(detail);
  if (!is_final(state) || view.ended || facts.record.job.array) return;
  // The job recorded no end, and somebody may look only a day later: Slurm knows when it was.
  const auto* status = winner_status();
  if (status == nullptr || !status->end) return;
  view.ended = std::min(*status->end, now);
  if (facts.standing.start) view.ended = std::max(*view.ended, facts.standing.start->time);  // another clock
}

void RunAssessment::stopped() {
  if (facts.record.job.hold) return finish(RunState::done, "released");
  finish(RunState::stopped, "on request");
}

const JobStatus* RunAssessment::winner_status() const {
  if (!facts.claim || facts.claim->by_stop) return nullptr;
  for (const auto& c : view.candidates) {
    if (c.candidate.number == facts.claim->candidate) return c.status ? &*c.status : nullptr;
  }
  return nullptr;
}

std::string RunAssessment::elements() const {
  return view.array ? "; " + element_words(facts.elements, facts.record.job.array->elements) : "";
}

const Event* last_event(const RunFacts& facts, EventKind kind) {
  const auto found =
      std::find_if(facts.events.rbegin(), facts.events.rend(), [&](const auto& event) { return event.name == kind; });
  return found == facts.events.rend() ? nullptr : &*found;
}

}  // namespace rv::monitor
