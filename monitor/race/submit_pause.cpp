#include "monitor/race/submit_pause.h"

#include <algorithm>

namespace rv::monitor {

std::chrono::seconds pause_after(int calls_without_answer) {
  using std::chrono::seconds;
  constexpr seconds longest{60};
  if (calls_without_answer <= 0) return seconds(0);
  constexpr int doublings_to_longest = 5;
  return std::min(longest, seconds(1) * (1 << std::min(calls_without_answer, doublings_to_longest + 1)));
}

TimePoint next_submission(const std::vector<Event>& events, TimePoint now) {
  int calls = 0;
  TimePoint last;
  for (const Event& event : events) {
    if (event.name == EventKind::no_answer) {
      ++calls;
      last = event.time;
    } else if (event.name == EventKind::submitted || event.name == EventKind::found ||
               event.name == EventKind::refused || event.name == EventKind::next_refused) {
      calls = 0;
    }
  }
  if (calls == 0) return {};
  return std::min(last, now) + pause_after(calls);
}

}  // namespace rv::monitor
