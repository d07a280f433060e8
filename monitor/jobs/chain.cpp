#include "monitor/jobs/chain.h"

#include <algorithm>

#include "shared/documents/json_integer.h"

namespace rv::monitor {
namespace {

// A job that ends before it reaches its segment says nothing about the application; three in a row say that the next
// one would not get further.
constexpr int most_submissions = 3;

int submissions_of(const RunFacts& facts, int segment) {
  return static_cast<int>(std::count_if(facts.events.begin(), facts.events.end(), [&](const Event& event) {
    return event.name == EventKind::intent && integer_or(event.more, "segment", 0) == segment;
  }));
}

const Candidate* winner_of(const RunFacts& facts) {
  if (!facts.claim || facts.claim->by_stop) return nullptr;
  const auto& all = facts.record.candidates;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.number == facts.claim->candidate; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::optional<NextSegment> next_segment(const RunFacts& facts, const JobStatus& last) {
  if (!facts.record.job.chain || !facts.claim || facts.claim->by_stop || facts.exit || facts.outcome)
    return std::nullopt;
  if (facts.stop_requested || last.phase != Phase::ended) return std::nullopt;
  const auto ending = last.ending.value_or(Ending::failed);
  if (ending == Ending::cancelled) return std::nullopt;
  const int begun = static_cast<int>(facts.segments.size());
  NextSegment next{.number = begun + 1, .why = "the job " + std::string(in_words(ending)), .node_failed = false};
  if (begun > 0 && facts.segments.back().end) {
    const auto& end = *facts.segments.back().end;
    if (end.reason == SegmentReason::finished || end.reason == SegmentReason::cancelled) return std::nullopt;
  }
  next.node_failed = ending == Ending::node_failure;
  if (submissions_of(facts, next.number) >= most_submissions) return std::nullopt;
  return next;
}

std::optional<JobId> last_job(const RunFacts& facts) {
  const auto* winner = winner_of(facts);
  if (winner == nullptr) return std::nullopt;
  const auto journals = candidate_journals(facts.events, static_cast<int>(facts.record.candidates.size()));
  return journals[static_cast<std::size_t>(winner->number - 1)].job;
}

int fruitless_segments(const std::vector<Segment>& segments) {
  int count = 0;
  for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
    if (!segment->end) continue;
    if (segment->end->progress) break;
    if (segment->end->reason != SegmentReason::crashed && segment->end->reason != SegmentReason::lost) break;
    ++count;
  }
  return count;
}

std::string segment_words(const RunFacts& facts, int ahead) {
  const int number = std::max(1, static_cast<int>(facts.segments.size()) + ahead);
  std::string words = "segment " + std::to_string(number);
  const auto* winner = winner_of(facts);
  if (winner == nullptr || !facts.record.job.chain || winner->time_limit.count() <= 0) return words;
  // The time that is left decides how many more there will be; segments that ended early make it more than planned.
  const auto now = facts.segments.empty() ? TimePoint{} : facts.segments.back().began;
  const auto used = time_used(facts.segments, now, /*alive=*/true);
  const auto left = std::max(std::chrono::seconds(0), facts.record.job.chain->total - used);
  const bool open = !facts.segments.empty() && !facts.segments.back().end;
  const auto more = (left + winner->time_limit - std::chrono::seconds(1)) / winner->time_limit;
  const int expected = static_cast<int>(facts.segments.size()) - (open ? 1 : 0) + static_cast<int>(more);
  return words + " of " + std::to_string(std::max(expected, number));
}

}  // namespace rv::monitor
