#include "monitor/race/act.h"

#include "base/error.h"
#include "monitor/jobs/observed_wait.h"
#include "monitor/race/background.h"

namespace rv::monitor {
namespace {

class Doer {
 public:
  Doer(const RunFolder& folder, const RunFacts& facts, std::vector<JobKey>& to_cancel)
      : folder_(folder), facts_(facts), to_cancel_(to_cancel) {}

  void operator()(const Note& note) const {
    try {
      folder_.append(note.event);
    } catch (const Error&) {
      return;  // a folder that can't be written can be looked at all the same
    }
  }
  void operator()(const NoteStart& /*start*/) const { note_start(folder_, facts_); }
  void operator()(const Cancel& cancel) const {
    to_cancel_.insert(to_cancel_.end(), cancel.jobs.begin(), cancel.jobs.end());
  }
  void operator()(const GoOnWithRace& /*race*/) const { submit_in_background(folder_); }
  void operator()(const GoOnWithChain& chain) const { submit_segment_in_background(folder_, chain.last, chain.next); }
  void operator()(const RaceAgain& again) const { retry_in_background(folder_, again.retry); }

 private:
  const RunFolder& folder_;
  const RunFacts& facts_;
  std::vector<JobKey>& to_cancel_;
};

}  // namespace

void act(const RunFolder& folder, const RunFacts& facts, const std::vector<Action>& actions,
         std::vector<JobKey>& to_cancel) {
  for (const auto& action : actions) std::visit(Doer(folder, facts, to_cancel), action);
}

bool end_run(const RunFolder& folder, const RunFacts& facts, RunView& view, TimePoint now, slurm::Gateway& gateway) {
  if (const auto retry = worth_retrying(folder, facts, view, gateway)) {
    retry_in_background(folder, *retry);
    view.state = RunState::queued;
    view.detail = view.again = "to be started again on other nodes: " + retry->why;
    view.exit_code.reset();
    return true;
  }
  if (!view.ended) view.ended = now;
  const Outcome outcome{.state = view.state,
                        .exit_code = view.exit_code,
                        .detail = view.detail,
                        .time = *view.ended,
                        .copy = view.output_copy};
  try {
    return write_outcome(folder, facts, outcome);
  } catch (const Error&) {
    return true;  // a folder that can't be written can be looked at all the same
  }
}

}  // namespace rv::monitor
