#include "monitor/jobs/output_copy.h"

namespace rv::monitor {
namespace {

CopyState unfinished_copy(const JobStatus* status) {
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

}  // namespace

// The command has ended, and its job copies `--output`, until that job is over.
void assess_copy(RunAssessment& run) {
  if (!run.facts.copies.unfinished()) {
    run.view.output_copy = run.facts.copies.failed > 0 ? CopyState::failed : CopyState::copied;
  } else if (run.facts.outcome) {
    run.view.output_copy = run.facts.outcome->copy.value_or(CopyState::unknown);
  } else {
    run.view.output_copy = unfinished_copy(run.winner_status());
  }
  const bool failed = run.view.output_copy == CopyState::failed && !run.facts.copies.trouble.empty();
  run.view.copy_trouble = failed ? run.facts.copies.trouble : std::string(in_words(*run.view.output_copy));
  if (run.facts.outcome) return;
  if (run.view.output_copy == CopyState::under_way) run.view.state = RunState::ending;
  if (!run.view.copy_trouble.empty()) run.view.detail += "; " + run.view.copy_trouble;
}

}  // namespace rv::monitor
