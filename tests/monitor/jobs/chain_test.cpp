#include "monitor/jobs/chain.h"

#include <doctest/doctest.h>

#include "monitor/jobs/run_view.h"

using namespace rv;
using namespace rv::monitor;
using namespace std::chrono_literals;

namespace {

TimePoint at(int seconds) {
  return TimePoint(std::chrono::seconds(seconds));
}

Segment segment(int number, unsigned job, int began, std::optional<SegmentEnd> end) {
  return {.number = number,
          .job = JobId{job},
          .restart = 0,
          .began = at(began),
          .nodes = "n1",
          .seen = at(began + 60),
          .end = std::move(end)};
}

SegmentEnd ended(SegmentReason reason, int time, bool progress) {
  return {.code = 0, .time = at(time), .reason = reason, .progress = progress};
}

// One candidate that won with job 10; its first segment ended because its time did.
RunFacts chain() {
  RunFacts facts;
  Candidate candidate;
  candidate.number = 1;
  candidate.time_limit = 4h;
  candidate.job_name = "x@k3f9x2.1";
  facts.record.candidates = {candidate};
  facts.record.job.chain = templates::Chain{12h};
  facts.claim = Claim{.by_stop = false, .candidate = 1, .job = JobId{10}, .node = "n1", .time = at(0)};
  facts.events.push_back({.time = at(0), .name = EventKind::submitted, .candidate = 1, .job = JobId{10}, .more = {}});
  facts.segments = {segment(1, 10, 0, ended(SegmentReason::time_limit, 4 * 3600, true))};
  return facts;
}

JobStatus slurm_says(const char* word) {
  rv::slurm::QueueRow row;
  row.state = word;
  return status_of(row);
}

}  // namespace

TEST_CASE("a segment that ended by itself or was ended by Slurm is resumed") {
  for (const char* word : {"COMPLETED", "FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL", "OUT_OF_MEMORY"}) {
    CAPTURE(word);
    const auto next = next_segment(chain(), slurm_says(word));
    REQUIRE(next);
    CHECK(next->number == 2);
  }
  CHECK(next_segment(chain(), slurm_says("NODE_FAIL"))->node_failed);
  CHECK(!next_segment(chain(), slurm_says("PREEMPTED"))->node_failed);
}

TEST_CASE("a job that is alive or unknown is not resumed") {
  for (const char* word : {"PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "SUSPENDED", "REQUEUED", "NEW_WORD"}) {
    CAPTURE(word);
    CHECK(!next_segment(chain(), slurm_says(word)));
  }
}

TEST_CASE("a chain that a user ended is not resumed") {
  CHECK(!next_segment(chain(), slurm_says("CANCELLED")));
  auto stopped = chain();
  stopped.stop_requested = true;
  CHECK(!next_segment(stopped, slurm_says("PREEMPTED")));
  auto by_stop = chain();
  by_stop.claim->by_stop = true;
  CHECK(!next_segment(by_stop, slurm_says("PREEMPTED")));
}

TEST_CASE("a run that is over, or is not a chain, has no next segment") {
  auto over = chain();
  over.exit = ExitRecord{.code = 0, .time = at(9), .job = JobId{10}, .kind = ExitKind::exited};
  CHECK(!next_segment(over, slurm_says("COMPLETED")));
  auto with_outcome = chain();
  with_outcome.outcome = Outcome{};
  CHECK(!next_segment(with_outcome, slurm_says("COMPLETED")));
  auto finished = chain();
  finished.segments.back().end->reason = SegmentReason::finished;  // its exit record is on its way
  CHECK(!next_segment(finished, slurm_says("COMPLETED")));
  auto plain = chain();
  plain.record.job.chain.reset();
  CHECK(!next_segment(plain, slurm_says("NODE_FAIL")));
}

TEST_CASE("a segment that never begins is given up after three jobs") {
  auto facts = chain();
  for (int i = 0; i < 2; ++i) {
    facts.events.push_back(
        {.time = at(i), .name = EventKind::intent, .candidate = 1, .job = {}, .more = {{"segment", 2}}});
  }
  CHECK(next_segment(facts, slurm_says("FAILED")));
  facts.events.push_back(
      {.time = at(3), .name = EventKind::intent, .candidate = 1, .job = {}, .more = {{"segment", 2}}});
  CHECK(!next_segment(facts, slurm_says("FAILED")));
}

TEST_CASE("the last job is the one that was submitted last, by whomever") {
  auto facts = chain();
  CHECK(last_job(facts) == JobId{10});
  facts.events.push_back(
      {.time = at(5), .name = EventKind::next, .candidate = 1, .job = JobId{10}, .more = {{"next_job_id", 11U}}});
  CHECK(last_job(facts) == JobId{11});
  facts.events.push_back({.time = at(6), .name = EventKind::found, .candidate = 1, .job = JobId{12}, .more = {}});
  CHECK(last_job(facts) == JobId{12});
}

TEST_CASE("finished work is done, even if the job ended before it recorded that") {
  auto facts = chain();
  facts.segments.back().end->reason = SegmentReason::finished;
  for (const char* word : {"NODE_FAIL", "PREEMPTED", "COMPLETED", "TIMEOUT"}) {
    CAPTURE(word);
    const auto view = assess(facts, {{JobId{10}, slurm_says(word)}}, at(5 * 3600));
    CHECK(view.state == RunState::done);
    CHECK(view.exit_code == 0);
  }
  CHECK(assess(facts, {{JobId{10}, slurm_says("PENDING")}}, at(5 * 3600)).state == RunState::queued);
}

TEST_CASE("failures count until progress is saved") {
  std::vector<Segment> segments{segment(1, 10, 0, ended(SegmentReason::crashed, 5, false)),
                                segment(2, 10, 6, ended(SegmentReason::crashed, 7, true)),
                                segment(3, 10, 8, ended(SegmentReason::lost, 9, false)),
                                segment(4, 10, 9, ended(SegmentReason::crashed, 10, false))};
  CHECK(fruitless_segments(segments) == 2);
  segments.push_back(segment(5, 11, 20, ended(SegmentReason::preempted, 30, false)));
  CHECK(fruitless_segments(segments) == 0);
  CHECK(fruitless_segments({}) == 0);
}

TEST_CASE("how many segments there will be follows from the time that is left") {
  CHECK(segment_words(chain(), 0) == "segment 1 of 3");
  CHECK(segment_words(chain(), 1) == "segment 2 of 3");
  auto early = chain();  // preempted after an hour: eleven hours are left
  early.segments[0].end = ended(SegmentReason::preempted, 3600, true);
  CHECK(segment_words(early, 1) == "segment 2 of 4");
}

TEST_CASE("time used: to the end, to now, or to the last sign of life") {
  std::vector<Segment> segments{segment(1, 10, 0, ended(SegmentReason::time_limit, 100, true)),
                                segment(2, 11, 200, std::nullopt)};
  CHECK(time_used(segments, at(500), /*alive=*/true) == 400s);
  CHECK(time_used(segments, at(500), /*alive=*/false) == 160s);
}
