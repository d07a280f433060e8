#include "monitor/diagnosis/recorded_end.h"

namespace rv::monitor {

int exit_code_in(const RunEvidence& evidence) {
  if (evidence.view.exit_code) return *evidence.view.exit_code;
  return evidence.facts.exit ? evidence.facts.exit->code : -1;
}

int batch_signal_in(const RunEvidence& evidence) {
  if (evidence.record) return evidence.record->exit_signal;
  return evidence.accounting ? evidence.accounting->exit_signal : 0;
}

bool slurm_recorded(const RunEvidence& evidence, Ending ending) {
  const bool record = evidence.record && status_of(*evidence.record).ending == ending;
  return record || (evidence.accounting && status_of(*evidence.accounting).ending == ending);
}

std::optional<std::chrono::seconds> recorded_time(const RunEvidence& evidence) {
  const auto span = [](const auto& job) {
    return job && job->start && job->end ? std::optional(std::chrono::seconds(*job->end - *job->start)) : std::nullopt;
  };
  const auto ran = span(evidence.accounting);
  return ran ? ran : span(evidence.record);
}

bool was_preempted(const RunEvidence& evidence) {
  const int code = exit_code_in(evidence);
  if (code >= 0 && code <= 128) return false;
  // Accounting stores only the state, the controller also the time of the preemption.
  return slurm_recorded(evidence, Ending::preempted) || (evidence.record && evidence.record->preempted);
}

std::string signal_name(int signal) {
  switch (signal) {
    case 4:
      return "SIGILL, an instruction this CPU does not have";
    case 6:
      return "SIGABRT, the program aborted itself";
    case 7:
      return "SIGBUS";
    case 8:
      return "SIGFPE, an arithmetic error such as a division by zero";
    case 9:
      return "SIGKILL";
    case 11:
      return "SIGSEGV, an invalid memory access";
    case 15:
      return "SIGTERM";
    default:
      return "signal " + std::to_string(signal);
  }
}

}  // namespace rv::monitor
