#include "monitor/run/journal.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::monitor;

TEST_CASE("an event survives the way to a line and back") {
  Event event{.time = TimePoint(std::chrono::seconds(1'700'000'000)),
              .name = EventKind::refused,
              .candidate = 2,
              .job = JobId{77},
              .more = {{"message", "a \"b\"\nc"}}};
  const auto line = to_line(event);
  CHECK(line.find('\n') == line.size() - 1);
  const auto events = parse_events(line);
  REQUIRE(events.size() == 1);
  CHECK(events[0].time == event.time);
  CHECK(events[0].name == EventKind::refused);
  CHECK(events[0].candidate == 2);
  CHECK(events[0].job == JobId{77});
  CHECK(events[0].more.at("message") == "a \"b\"\nc");
}

TEST_CASE("the start gate finds the line of the intent") {
  CHECK(to_line({.time = {}, .name = EventKind::intent, .candidate = 1, .job = {}, .more = {}})
            .find("\"event\":\"intent\"") != std::string::npos);
}

TEST_CASE("torn, empty and foreign lines are passed over") {
  CHECK(parse_events("").empty());
  CHECK(parse_events("\n\n[1,2]\n{\"no\":1}\n{\"event\":7}\n{\"event\":\"x\"").empty());
  CHECK(parse_events("garbage\n{\"event\":\"x\"}").size() == 1);
}

TEST_CASE("a number that its field cannot hold is passed over") {
  const auto events =
      parse_events(R"({"event":"submitted","time":8e88,"candidate":1e300,"job_id":4294967296,"attempt":-99999999999})"
                   "\n"
                   R"({"event":"submitted","time":10,"candidate":2,"job_id":7,"attempt":3})");
  REQUIRE(events.size() == 2);
  CHECK(events[0].time == TimePoint{});
  CHECK(events[0].candidate == Event{}.candidate);
  CHECK_FALSE(events[0].job);
  CHECK(events[0].attempt == Event{}.attempt);
  CHECK(events[1].candidate == 2);
  CHECK(events[1].job == JobId{7});
}

TEST_CASE("invalid UTF-8 does not break the journal") {
  Event event{
      .time = {}, .name = EventKind::refused, .candidate = 1, .job = {}, .more = {{"message", "bad \xff byte"}}};
  CHECK(parse_events(to_line(event)).size() == 1);
}

TEST_CASE("a candidate's standing follows from its events") {
  const auto standing = [](const char* lines) { return candidate_journals(parse_events(lines), 2); };
  auto journals = standing("{\"event\":\"intent\",\"candidate\":1,\"time\":5}\n");
  CHECK(journals[0].intent);
  CHECK(!journals[0].job);
  CHECK(!journals[1].intent);
  journals =
      standing("{\"event\":\"intent\",\"candidate\":1}\n{\"event\":\"submitted\",\"candidate\":1,\"job_id\":9}\n");
  CHECK(journals[0].job == JobId{9});
  journals =
      standing("{\"event\":\"intent\",\"candidate\":2}\n{\"event\":\"refused\",\"candidate\":2,\"message\":\"no\"}\n");
  CHECK(journals[1].refusal == "no");
  // A job that wrote its own events was submitted, whatever the client managed to write down.
  journals = standing("{\"event\":\"intent\",\"candidate\":1}\n{\"event\":\"claimed\",\"candidate\":1,\"job_id\":9}\n");
  CHECK(journals[0].job == JobId{9});
  journals = standing("{\"event\":\"yielded\",\"candidate\":2,\"job_id\":10}\n");
  CHECK(journals[1].yielded);
  CHECK(standing("{\"event\":\"submitted\",\"candidate\":7,\"job_id\":9}\n").size() == 2);
}

TEST_CASE("only events of the run or of the present attempt count") {
  const auto events = rv::monitor::of_attempt(rv::monitor::parse_events(R"({"time":1,"event":"created"}
{"time":2,"event":"intent","candidate":1}
{"time":2,"event":"submitted","candidate":1,"job_id":7}
{"time":3,"event":"stop_requested"}
{"time":4,"event":"claimed","candidate":1,"job_id":7}
{"time":9,"event":"retry","job_id":7,"attempt":2}
{"time":99,"event":"ended","candidate":1,"job_id":7}
{"time":9,"event":"intent","candidate":1,"attempt":2}
{"time":9,"event":"submitted","candidate":1,"job_id":8,"attempt":2}
)"),
                                              2);
  std::string names;
  for (const auto& event : events) names += event.name.text() + " ";
  CHECK(names == "created stop_requested retry intent submitted ");
  CHECK(rv::monitor::candidate_journals(events, 1)[0].job->number == 8);
  CHECK(rv::monitor::of_attempt({}, 1).empty());
  CHECK(parse_events(to_line(events[3]))[0].attempt == 2);
}

TEST_CASE("a duplicate that gave way does not hide the job that won") {
  const auto job = [](const char* lines) { return candidate_journals(parse_events(lines), 1)[0]; };
  for (const auto* lines : {R"({"event":"submitted","candidate":1,"job_id":9}
{"event":"yielded","candidate":1,"job_id":10}
)",
                            R"({"event":"yielded","candidate":1,"job_id":10}
{"event":"submitted","candidate":1,"job_id":9}
)",
                            R"({"event":"submitted","candidate":1,"job_id":9}
{"event":"found","candidate":1,"job_id":10}
{"event":"yielded","candidate":1,"job_id":10}
)"}) {
    CHECK(job(lines).job == JobId{9});
    CHECK(!job(lines).yielded);
    CHECK(job(lines).jobs.size() == 2);
  }
}

TEST_CASE("the last job of a chain is found by its segment, not by a clock") {
  const auto events = parse_events(R"({"time":100,"event":"next","candidate":1,"job_id":8,"next_job_id":9,"segment":3}
{"time":500,"event":"next","candidate":1,"job_id":7,"next_job_id":8,"segment":2}
{"time":600,"event":"submitted","candidate":1,"job_id":7}
)");
  CHECK(candidate_journals(events, 1)[0].job == JobId{9});
}
