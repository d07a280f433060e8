#include <doctest/doctest.h>

#include "cli/top/press.h"

using namespace rv::cli::top;
using rv::monitor::RunState;
using KeyKind = Key::Kind;

namespace {

Known three_runs() {
  Known known;
  int age = 0;
  for (const auto& [id, name, state] : {std::tuple("aaaaaa", "train", RunState::running),
                                        {"bbbbbb", "sweep", RunState::done},
                                        {"cccccc", "alpha", RunState::queued}}) {
    Run run;
    run.id = id;
    run.name = name;
    run.state = state;
    run.created = TimePoint(std::chrono::seconds(1000 - ++age));
    if (state == RunState::running) run.started = run.created;
    known.runs.push_back(run);
  }
  return known;
}

std::string order(const Choice& choice) {
  const auto known = three_runs();
  std::string ids;
  for (const auto* run : shown_runs(known, choice)) ids += run->id.front();
  return ids;
}

Pressed type(Choice choice, const std::string& text) {
  Pressed pressed{.choice = std::move(choice), .action = Action::none, .run = ""};
  for (const char c : text) pressed = press(three_runs(), pressed.choice, {.kind = KeyKind::character, .character = c});
  return pressed;
}

std::vector<Key> keys(const std::string& bytes) {
  return KeyReader().feed(bytes);
}

}  // namespace

TEST_CASE("keys choose a run, and act on the chosen one") {
  CHECK(type({}, "l").run == "aaaaaa");
  CHECK(type({}, "jl").run == "cccccc");
  CHECK(type({}, "jjjjw").run == "bbbbbb");
  CHECK(type({}, "jjkw").run == "cccccc");
  CHECK(type({}, "jjkw").action == Action::why);
  CHECK(type({}, "q").action == Action::quit);
  CHECK(type({}, "z").action == Action::none);
  CHECK(press(Known(), {}, {.kind = KeyKind::character, .character = 'l'}).action == Action::none);
}

TEST_CASE("a run is stopped only after y") {
  auto asked = type({}, "x");
  CHECK(asked.action == Action::none);
  CHECK(asked.choice.asks_to_stop == "aaaaaa");
  CHECK(type(asked.choice, "n").action == Action::none);
  CHECK(type(asked.choice, "n").choice.asks_to_stop.empty());
  CHECK(type(asked.choice, "y").action == Action::stop);
  CHECK(type(asked.choice, "y").run == "aaaaaa");
  // A yes is about the run that was asked about, whatever came to stand in its place.
  Known changed = three_runs();
  changed.runs.erase(changed.runs.begin());
  CHECK(press(changed, asked.choice, {.kind = KeyKind::character, .character = 'y'}).run == "aaaaaa");
  CHECK(type({}, "jjx").choice.asks_to_stop.empty());  // it is over
}

TEST_CASE("a job that is not a run is listed, and only rv why is called for it") {
  auto known = three_runs();
  Run job;
  job.id = "4711";
  job.is_job = true;
  job.name = "by sbatch";
  job.state = RunState::done;
  known.jobs = {job};
  Choice choice;
  choice.selected = "4711";
  REQUIRE(shown_runs(known, choice).size() == 4);
  const auto pressed = [&](char letter) {
    return press(known, choice, {.kind = KeyKind::character, .character = letter});
  };
  CHECK(pressed('w').run == "4711");
  for (const char letter : {'l', 'x', 'e', 'i'}) CHECK(pressed(letter).action == Action::none);
  CHECK(pressed('x').choice.asks_to_stop.empty());
}

TEST_CASE("sorting and filtering") {
  CHECK(order({}) == "acb");  // by state
  CHECK(order(type({}, "s").choice) == "cba");
  CHECK(order(type({}, "sss").choice) == "abc");
  CHECK(order(type({}, "ssss").choice) == "acb");
  CHECK(order(type({}, "/QUEUE").choice) == "c");
  CHECK(order(type({}, "/q").choice) == "c");
  CHECK(type({}, "/q").action == Action::none);
  auto filtered = press(three_runs(), type({}, "/swe").choice, {.kind = KeyKind::enter}).choice;
  CHECK(order(filtered) == "b");
  CHECK(order(press(three_runs(), filtered, {.kind = KeyKind::escape}).choice) == "acb");
}

TEST_CASE("a click selects the run in that row") {
  Choice choice;
  choice.first_row = 10;
  choice.page = 2;
  const auto clicked = [&](int row) {
    return press(three_runs(), choice, {.kind = KeyKind::click, .row = row}).choice.selected;
  };
  CHECK(clicked(11) == "cccccc");
  CHECK(clicked(9).empty());
  CHECK(clicked(12).empty());
  choice.scrolled = 1;
  CHECK(clicked(11) == "bbbbbb");
}

TEST_CASE("only complete byte sequences become keys") {
  CHECK(keys("a\r\x7f") == std::vector<Key>{{.kind = KeyKind::character, .character = 'a'},
                                            {.kind = KeyKind::enter},
                                            {.kind = KeyKind::backspace}});
  CHECK(keys("\x1b[A\x1bOB\x1b[5~\x1b[H") ==
        std::vector<Key>{
            {.kind = KeyKind::up}, {.kind = KeyKind::down}, {.kind = KeyKind::page_up}, {.kind = KeyKind::home}});
  CHECK(keys("\x1b[<0;12;5M\x1b[<0;12;5m\x1b[<65;1;1M") ==
        std::vector<Key>{{.kind = KeyKind::click, .row = 4, .column = 11},
                         {.kind = KeyKind::wheel_down, .row = 0, .column = 0}});
  CHECK(keys("ä\x1b[99;1X\x1b[<M").empty());
  KeyReader reader;
  CHECK(reader.feed("\x1b").empty());
  CHECK(reader.waits());
  CHECK(reader.feed("[").empty());
  CHECK(reader.feed("B") == std::vector<Key>{{.kind = KeyKind::down}});
  CHECK(reader.feed("\x1b").empty());
  CHECK(reader.flush() == std::vector<Key>{{.kind = KeyKind::escape}});
}
