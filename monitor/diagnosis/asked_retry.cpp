#include "monitor/diagnosis/asked_retry.h"

#include <algorithm>

#include "base/text.h"

namespace rv::monitor {
namespace {

using std::chrono::seconds;

bool is_failure(RunState state) {
  return state == RunState::failed || state == RunState::timeout || state == RunState::out_of_memory;
}

bool includes(const std::string& trigger, Cause cause, const AskedHistory& history) {
  if (trigger == "timeout") return history.state == RunState::timeout;
  // A KILL without another explanation: Slurm reports some of its out-of-memory kills only when the job is over.
  if (trigger == "oom") return cause == Cause::out_of_memory || cause == Cause::killed;
  if (trigger == text_of(cause).name) return true;
  return history.state == RunState::failed && history.exit_code && trigger == std::to_string(*history.exit_code);
}

bool includes(const templates::Retries& asked, Cause cause, const AskedHistory& history) {
  if (asked.on.empty()) return history.state == RunState::failed && history.exit_code.value_or(0) != 0;
  return std::any_of(asked.on.begin(), asked.on.end(),
                     [&](const std::string& trigger) { return includes(trigger, cause, history); });
}

std::string retries_in_words(int count) {
  return std::to_string(count) + (count == 1 ? " retry" : " retries");
}

std::string failure_in_words(const Diagnosis& diagnosis, const AskedHistory& history) {
  if (diagnosis.cause != Cause::unknown || !history.exit_code) return diagnosis.summary;
  return exit_code_words(*history.exit_code);
}

}  // namespace

seconds pause_before_retry(int number) {
  constexpr seconds first{10};
  constexpr seconds longest{600};
  constexpr int doublings_to_longest = 6;
  return std::min(longest, first * (1 << std::clamp(number - 1, 0, doublings_to_longest)));
}

AskedDecision asked_retry(const templates::Retries& asked, const Diagnosis& diagnosis, const AskedHistory& history) {
  const auto no = [](std::string why) {
    return AskedDecision{.retry = false, .pause = seconds(0), .why = std::move(why)};
  };
  if (!is_failure(history.state)) return no("");
  if (!includes(asked, diagnosis.cause, history)) {
    return no(asked.on.empty() ? "" : "not retried: --retry-on does not include it");
  }
  if (history.used >= asked.most) return no(asked.most == 0 ? "" : "after " + retries_in_words(history.used));
  const bool repeated = !history.last_line.empty() && history.last_line == history.line_before;
  if (repeated && history.ran.value_or(seconds(0)) < early_repeat) {
    return no(
        "not retried again: it ran for less than 2m and ended with the same last line of output as the attempt before");
  }
  return {.retry = true, .pause = pause_before_retry(history.used + 1), .why = failure_in_words(diagnosis, history)};
}

}  // namespace rv::monitor
