// An array's element has its start in one folder and a stop or an outcome is made in another, so that no number decides
// between them. Each side makes its own mark and looks again at the other's: here is every order of that, with two
// processes of one element (Slurm has started it again, and the first one lives on) and a client.
#include <doctest/doctest.h>

#include <deque>
#include <map>
#include <string>

#include "monitor/ledger/ledger.h"

using namespace rv;
using namespace rv::monitor;

namespace {

enum class Step : char { look, link, look_again, runs, over };

struct Process {
  Step step = Step::look;
  char run = 1, element = 0;  // entries that its machine has shown it
  auto operator<=>(const Process&) const = default;
};

struct State {
  std::string run = "c", element;  // entries: claim, stop, outcome; start and exit by process, x: rv stop --element
  Process processes[2];
  int starts = 0;
  bool broken = false;
  auto operator<=>(const State&) const = default;
};

struct Setting {
  LedgerRules rules;
  bool ask = true;         // rv stop --element writes the element's end only where the rules allow it
  bool look_again = true;  // after the start
  bool fresh = true;       // and that poll is not older than the start
};

std::vector<Entry> entries_of(const std::string& letters, int length) {
  std::vector<Entry> all;
  for (const char letter : letters.substr(0, static_cast<std::size_t>(length))) {
    Entry entry;
    entry.kind = letter == 'c'   ? EntryKind::claim
                 : letter == 's' ? EntryKind::stop
                 : letter == 'o' ? EntryKind::outcome
                 : letter < '2'  ? EntryKind::start
                                 : EntryKind::exit;
    entry.candidate = letter == 'x' ? 0 : 1;
    if (letter != 'x') entry.job = JobId{10};
    entry.word = letter == 'o' ? "lost" : letter == 'x' ? "stopped" : letter >= '2' ? "exited" : "-";
    entry.token = std::string(1, letter < '2' ? letter : static_cast<char>(letter - 2));
    all.push_back(std::move(entry));
  }
  return all;
}

class Walk {
 public:
  explicit Walk(const Setting& setting) : setting_(setting) {}

  // The shortest path to a forbidden state; empty: there is none.
  std::string find() {
    add({}, "");
    while (!open_.empty()) {
      const State state = open_.front();
      open_.pop_front();
      if (state.broken) return ways_[state];
      steps(state);
    }
    return "";
  }
  std::size_t states() const { return ways_.size(); }

 private:
  void add(const State& state, const std::string& way) {
    if (ways_.emplace(state, way).second) open_.push_back(state);
  }

  void steps(const State& state) {
    const auto way = ways_[state];
    for (const char decision : {'s', 'o'}) {
      if (state.run.find(decision) != std::string::npos) continue;
      auto next = state;
      next.run += decision;
      add(next, way + (decision == 's' ? "stop; " : "outcome; "));
    }
    stop_element(state, way);
    for (int who = 0; who < 2; ++who) take(state, who, way + static_cast<char>('1' + who) + " ");
  }

  // Of what the client has seen only the length matters: the entry gets the next number, or none.
  void stop_element(const State& state, const std::string& way) {
    const auto element = element_standing(entries_of(state.element, static_cast<int>(state.element.size())), 1);
    if (state.element.find('x') != std::string::npos) return;
    for (int shown = 1; shown <= static_cast<int>(state.run.size()); ++shown) {
      const auto run = standing_of(entries_of(state.run, shown), setting_.rules);
      if (setting_.ask && !may_stop_element(element, run, setting_.rules)) continue;
      auto next = state;
      next.element += 'x';
      return add(next, way + "stop of the element; ");
    }
  }

  void take(const State& state, int who, const std::string& way) {
    const auto& process = state.processes[who];
    const int run = static_cast<int>(state.run.size()), element = static_cast<int>(state.element.size());
    auto next = state;
    auto& self = next.processes[who];
    const JobIdentity job{.attempt = 1, .candidate = 1, .job = JobId{10}};
    switch (process.step) {
      case Step::look:
        for (int shown = process.run; shown <= run; ++shown) {
          for (int here = process.element; here <= element; ++here) {
            const auto said =
                at_element_start(element_standing(entries_of(state.element, here), 1),
                                 standing_of(entries_of(state.run, shown), setting_.rules), job, setting_.rules);
            self = {.step = said == Verdict::start ? Step::link : Step::over,
                    .run = static_cast<char>(shown),
                    .element = static_cast<char>(here)};
            add(next, way + "looks; ");
          }
        }
        return;
      case Step::link:
        if (element == process.element) {
          next.element += static_cast<char>('0' + who);
          self.step = setting_.look_again ? Step::look_again : Step::runs;
          if (!setting_.look_again) begin(next);
        } else {
          self.step = Step::look;
        }
        ++self.element;
        return add(next, way + "links its start; ");
      case Step::look_again:
        for (int shown = setting_.fresh ? run : process.run; shown <= run; ++shown) {
          auto seen = state;
          auto& looked = seen.processes[who];
          looked.run = static_cast<char>(shown);
          const bool pass =
              at_gate(standing_of(entries_of(state.run, shown), setting_.rules), job, setting_.rules) == Verdict::pass;
          looked.step = pass ? Step::runs : Step::over;
          if (pass) begin(seen);
          add(seen, way + (pass ? "looks again and begins; " : "looks again and steps back; "));
        }
        return;
      case Step::runs:
        next.element += static_cast<char>('2' + who);
        self.step = Step::over;
        return add(next, way + "ends; ");
      case Step::over:
        return;
    }
  }

  void begin(State& state) const {
    ++state.starts;
    if (state.starts > 1 && !setting_.rules.may_restart) state.broken = true;
    if (state.run != "c" || state.element.find('x') != std::string::npos) state.broken = true;
  }

  Setting setting_;
  std::map<State, std::string> ways_;
  std::deque<State> open_;
};

}  // namespace

TEST_CASE("no element begins after a stop or an outcome, and none twice without --requeue") {
  for (const bool requeue : {false, true}) {
    Walk walk({.rules = {.may_restart = requeue}});
    CHECK(walk.find() == "");
    MESSAGE(std::string(requeue ? "with --requeue " : "once ") << walk.states() << " states");
    CHECK(walk.states() > 300);
  }
}

TEST_CASE("an element begins after its own stop if that stop does not look for a start") {
  Walk walk({.rules = {}, .ask = false});
  const auto way = walk.find();
  CHECK(way != "");
  MESSAGE(way);
}

TEST_CASE("without the second look, or with one that may be older than the start, one begins after the end") {
  for (const auto& setting : {Setting{.rules = {}, .look_again = false}, Setting{.rules = {}, .fresh = false}}) {
    Walk walk(setting);
    const auto way = walk.find();
    CHECK(way != "");
    MESSAGE(way);
  }
}
