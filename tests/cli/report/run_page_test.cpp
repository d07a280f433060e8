#include "cli/report/run_page.h"

#include <doctest/doctest.h>

namespace rv::cli {

namespace {

RunStory story_of(monitor::RunState state) {
  RunStory story;
  story.facts.record.id = "k3f9x2";
  story.facts.record.name = "train";
  story.view.state = state;
  monitor::CandidateView candidate;
  candidate.candidate.summary = "4× A40 on gpu-a40";
  story.view.candidates = {candidate};
  story.view.winner = 1;
  story.diagnosis.summary = "Python could not import a module";
  monitor::LogTail log;
  log.file = "logs/n1.err";
  log.lines = {"ModuleNotFoundError: No module named 'x'"};
  story.logs = {log};
  monitor::Event event;
  event.name = monitor::EventKind::created;
  story.events = {event};
  return story;
}

}  // namespace

TEST_CASE("a run's page has the run's name as its title") {
  const auto html = run_page(story_of(monitor::RunState::failed));
  CHECK(html.find("<title>train · 4× A40 on gpu-a40 · failed</title>") != std::string::npos);
  CHECK(html.find("<p>Run k3f9x2</p>") != std::string::npos);
}

TEST_CASE("for a failed run, cause and output come first") {
  const auto place = [](const std::string& html, const char* title) {
    return html.find(std::string(">") + title + "</h2>");
  };
  const auto failed = run_page(story_of(monitor::RunState::failed));
  REQUIRE(place(failed, "Output") != std::string::npos);
  CHECK(place(failed, "Result") < place(failed, "Output"));
  CHECK(place(failed, "Output") < place(failed, "Events"));
  const auto between = failed.substr(place(failed, "Result"), place(failed, "Output") - place(failed, "Result"));
  CHECK(between.find("</h2>", 20) == std::string::npos);  // no other part
}

}  // namespace rv::cli
