#include "cli/use/end_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/os/interrupt.h"
#include "base/text.h"
#include "cli/use/use_text.h"

namespace rv::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto least_time = 1min;
constexpr int most_questions = 4;
constexpr auto between_questions = 1s;
/// Covers the difference of the node's and the controller's clocks, and the time that a job takes to end after its
/// command.
constexpr auto clock_difference = 30s;

/// Whether accounting has the end of the job that ended the run.
bool has_the_end(const RunUse& use, monitor::TimePoint ended) {
  return std::any_of(use.attempts.begin(), use.attempts.end(),
                     [&](const AttemptUse& attempt) { return attempt.job.end + clock_difference >= ended; });
}

}  // namespace

void print_use(const monitor::RunFolder& folder, const monitor::RunView& view) {
  if (!monitor::is_final(view.state) || !view.started || !view.ended) return;
  if (*view.ended - *view.started < least_time) return;
  slurm::Gateway gateway(5s);
  const auto facts = monitor::read_facts(folder);
  RunUse use;
  for (int i = 0; i < most_questions; ++i) {
    if (i > 0) std::this_thread::sleep_for(between_questions);
    if (os::interrupt_waits()) return;
    use = run_use(folder, facts, gateway);
    if (!use.trouble.empty()) return;
    if (has_the_end(use, *view.ended)) break;
  }
  if (use.attempts.empty()) return;
  const auto& attempt = largest(use.attempts);
  const auto jobs = use.attempts.size();
  const auto which = jobs == 1 ? std::string()
                     : attempt.peak_memory
                         ? fmt::format("{}, the job with the most memory of {} jobs, ", attempt_name(attempt), jobs)
                         : fmt::format("{}, the last of {} jobs, ", attempt_name(attempt), jobs);
  fmt::print(stderr, "rv: {}used {}; rv show {} has more\n", which, use_text(attempt), folder.id());
}

}  // namespace rv::cli
