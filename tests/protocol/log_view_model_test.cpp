// A follower's view of a log that another machine writes: it may lag behind at any moment and for longer than the
// follower waits. What the follower prints and what it reports as missing are together what the command wrote.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "monitor/ledger/ledger.h"
#include "monitor/run/run_end.h"

using namespace rv::monitor;

namespace {

constexpr int most_bytes = 4;

struct State {
  std::int8_t written = 0, seen = 0, shown = 0;  // bytes; `seen`: the size that the follower's machine shows
  std::int8_t recorded = -1;                     // by the exit entry; -1: the command runs
  bool knows_exit = false;
  bool waited = false;  // as long as a record may take to be seen
  bool returned = false;
  std::int8_t reported = 0;  // bytes that the follower calls missing

  auto key() const { return std::tie(written, seen, shown, recorded, knows_exit, waited, returned, reported); }
  bool operator<(const State& other) const { return key() < other.key(); }
};

enum class Way { by_record, by_size };  // by_size: as it once was, the end of what can be read is the end of the output

// The exit entry, read by rv's own reader.
long long recorded_size(const State& state) {
  Entry exit;
  exit.kind = EntryKind::exit;
  exit.word = "exited";
  exit.code = 0;
  exit.more = {{"bytes", {{"n1.out", state.recorded}}}};
  return exit_record(parse_entry(to_line(exit)))->log_sizes.at("n1.out");
}

void for_each_step(const State& state, Way way, const std::function<void(State)>& visit) {
  const auto step = [&](auto&& change) {
    State next = state;
    change(next);
    visit(next);
  };
  if (state.recorded < 0 && state.written < most_bytes) step([](State& s) { ++s.written; });
  if (state.recorded < 0) step([](State& s) { s.recorded = s.written; });
  if (state.seen < state.written) {
    step([](State& s) { ++s.seen; });
    step([](State& s) { s.seen = s.written; });
  }
  if (state.returned) return;
  if (state.shown < state.seen) step([](State& s) { s.shown = s.seen; });
  if (state.recorded >= 0 && !state.knows_exit) step([](State& s) { s.knows_exit = true; });
  if (state.knows_exit && !state.waited) step([](State& s) { s.waited = true; });
  if (!state.knows_exit || state.shown < state.seen) return;
  const auto missing = static_cast<std::int8_t>(way == Way::by_size ? 0 : recorded_size(state) - state.shown);
  if (missing > 0 && !state.waited) return;
  step([&](State& s) { s.returned = true, s.reported = missing; });
}

struct Explored {
  int states = 0, complete = 0, reported = 0, wrong = 0;
};

Explored explore(Way way) {
  Explored all;
  std::set<State> known{State()};
  std::deque<State> todo(known.begin(), known.end());
  for (; !todo.empty(); todo.pop_front()) {
    const auto state = todo.front();
    ++all.states;
    if (state.returned) {
      ++(state.shown + state.reported != state.written ? all.wrong : state.reported > 0 ? all.reported : all.complete);
    }
    for_each_step(state, way, [&](State next) {
      if (known.insert(next).second) todo.push_back(next);
    });
  }
  return all;
}

}  // namespace

TEST_CASE("what a follower shows and what it calls missing are all that the command wrote, however late its view is") {
  const auto all = explore(Way::by_record);
  CHECK(all.wrong == 0);
  CHECK(all.complete > 0);
  CHECK(all.reported > 0);
}

TEST_CASE("a follower that goes by the size that it sees loses output in silence") {
  CHECK(explore(Way::by_size).wrong > 0);
}
