#include <doctest/doctest.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): setenv and tzset
#include <time.h>    // NOLINT(modernize-deprecated-headers): tzset

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/terminal_text.h"
#include "cli/top/draw.h"
#include "cli/top/press.h"
#include "tests/source_tree.h"

using namespace rv;
using namespace rv::cli;
using namespace rv::cli::top;
using namespace std::chrono_literals;
using monitor::RunState;

namespace {

const TimePoint now{std::chrono::seconds(1'795'262'400)};

Run run(const std::string& id, const std::string& name, RunState state, std::chrono::seconds age) {
  Run run;
  run.id = id;
  run.name = name;
  run.state = state;
  run.created = now - age;
  run.gpus = "4× A40 on gpu-a40";
  return run;
}

GpuReading gpu(int index, double load) {
  return {.node = "udc-an28-1",
          .index = index,
          .model = "NVIDIA A40",
          .utilisation = load,
          .memory_used = 30'720,
          .memory_total = 46'068,
          .power = index == 3 ? std::nullopt : std::optional(210.0),
          .power_limit = 300,
          .temperature = 60,
          .driver = "",
          .clock = std::nullopt};
}

/// A cluster and eleven runs, one of each sort that looks different.
Known known_things() {
  Known known;
  known.cluster = "afton";
  known.taken = now;
  known.cluster_taken = now;
  known.types = {{"1g.10gb", 56, 50, 6, 0, 0, {30s, std::nullopt, std::nullopt}},
                 {"a100_80", 144, 0, 144, 4, 62, {5400s, 9000s, 86'400s}},
                 {"a40", 40, 3, 37, 4, std::nullopt, {0s, 1200s, std::nullopt}}};
  auto training = run("k3f9x2", "train", RunState::running, 2h);
  training.started = now - 1h;
  training.ends_by = now + 30min;
  training.progress = 0.667;
  training.progress_words = "segment 2, 3h of 6h used";
  training.nodes = "udc-an28-1";
  known.gpus["k3f9x2"] = {.now = {.gpus = {gpu(0, 100), gpu(1, 87), gpu(2, 3), gpu(3, 0)}, .troubles = {}},
                          .busy = {0, 0.2, 0.5, 0.9, 0.95, 0.5, 0.475},
                          .trouble = ""};
  auto waiting = run("hn7nw7", "größer-als-裁ja", RunState::queued, 10min);
  waiting.start = "in about 12m (3m to 40m, predicted at submission)";
  waiting.queue = QueueSummary{.place = 3, .of = 12, .partition = "gpu-a40"};
  auto failed = run("aaaaaa", "report", RunState::failed, 3h);
  failed.started = now - 3h;
  failed.ended = now - 1h;
  failed.detail = "exit code 1 on udc-an28-3, after a\nline end";
  known.runs = {training, waiting, failed};
  for (int i = 0; i < 8; ++i)
    known.runs.push_back(run("old00" + std::to_string(i), "sweep", RunState::done, 4h + i * 1s));
  return known;
}

std::string expected(const std::string& name) {
  std::ifstream file(in_tree("tests/cli/data/top/" + name + ".txt"));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string drawn(int width, int height, const Choice& choice = {}, bool utf8 = true) {
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  return draw(known_things(), choice, now, width, height, utf8).screen.text();
}

Choice chosen(const std::string& id) {
  Choice choice;
  choice.selected = id;
  return choice;
}

}  // namespace

TEST_CASE("screens of several sizes") {
  CHECK(drawn(60, 20, chosen("hn7nw7")) == expected("60x20"));
  CHECK(drawn(80, 24, chosen("k3f9x2")) == expected("80x24"));
  CHECK(drawn(80, 24, chosen("k3f9x2"), false) == expected("80x24_ascii"));
  CHECK(drawn(120, 40, chosen("k3f9x2")) == expected("120x40"));
  CHECK(drawn(250, 60, chosen("hn7nw7")) == expected("250x60"));
}

TEST_CASE("predicted waits are shown whole on narrow terminals") {
  for (const int width : {48, 60, 66, 67, 80, 100}) {
    const auto text = drawn(width, 24);
    CHECK(text.find("WAIT: 1") != std::string::npos);
    CHECK(text.find("1h 30m") != std::string::npos);
    if (width >= 60) CHECK(text.find("in about 12m") + text.find("in 12m") != 2 * std::string::npos);
  }
  // Counts of GPUs leave first: what is used, then what is one's own, then what is pending.
  CHECK(drawn(60, 24).find("GPU TYPE      FREE  MINE  PENDING  WAIT: 1        4        8\n") != std::string::npos);
  CHECK(drawn(48, 24).find("GPU TYPE      FREE  WAIT: 1        4        8\n") != std::string::npos);
}

TEST_CASE("on a narrow screen, and where not all fit, the types in use come first") {
  auto known = known_things();
  known.types.clear();
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    known.types.push_back({.name = name, .total = 8, .free = 8, .used = 0, .mine = 0, .pending = 0, .waits = {}});
  }
  known.types[6].used = 4;
  known.types[7].used = known.types[7].mine = 2;
  known.types[5].pending = 1;
  const auto order = [&](int width, int height) {
    std::istringstream lines(draw(known, {}, now, width, height, true).screen.text());
    std::string names;
    for (std::string line; std::getline(lines, line);) {
      if (line.size() > 1 && line[1] == ' ' && line[0] >= 'a' && line[0] <= 'h') names += line[0];
    }
    return names;
  };
  CHECK(order(60, 40) == "hfgabcde");
  CHECK(order(80, 40) == "abcdefgh");
  CHECK(order(80, 20) == "h");  // of eight there is room for one
}

TEST_CASE("types whose names begin alike are distinguished") {
  auto known = known_things();
  known.types[0].name = "a100_40gb_pcie";
  known.types[1].name = "a100_40gb_pcix";
  const auto text = draw(known, {}, now, 60, 24, true).screen.text();
  CHECK(text.find("a100_40gb_pcie ") != std::string::npos);
  CHECK(text.find("a100_40gb_pcix ") != std::string::npos);
}

TEST_CASE("names, reasons and foreign text reach the terminal without control characters") {
  const std::string hostile = "x\x1b[2J\x1b]0;t\x07\xc2\x9b\x9b\n\r\xe2\x80\xae y";
  auto known = known_things();
  known.cluster = hostile;
  for (auto& type : known.types) type.name = hostile;
  for (auto& run : known.runs) run.name = run.detail = run.start = run.nodes = run.gpus = run.progress_words = hostile;
  for (auto& [id, gpus] : known.gpus) {
    gpus.trouble = hostile;
    for (auto& reading : gpus.now.gpus) reading.model = reading.node = hostile;
  }
  for (const char* selected : {"k3f9x2", "hn7nw7", "aaaaaa"}) {
    const auto text = draw(known, chosen(selected), now, 120, 40, true).screen.text();
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) CHECK_FALSE(has_control_character(line));
    CHECK(std::count(text.begin(), text.end(), '\n') == 40);
  }
}

TEST_CASE("no line is wider than the terminal, however small that is") {
  for (const int width : {1, 7, 20, 59, 60, 61, 79, 100, 109, 110, 131, 250}) {
    for (const int height : {1, 2, 5, 12, 18, 30}) {
      std::istringstream lines(drawn(width, height, chosen("k3f9x2")));
      std::string line;
      int rows = 0;
      for (; std::getline(lines, line); ++rows) CHECK(columns_of(line) <= width);
      CHECK(rows == height);
    }
  }
}

TEST_CASE("the screen is drawn without data, without runs and without an answer") {
  Known none;
  auto text = draw(none, {}, now, 80, 24, true).screen.text();
  CHECK(text.find("querying the state of the cluster") != std::string::npos);
  CHECK(text.find("no runs: rv run or rv up starts one") != std::string::npos);
  none.trouble = "Unable to contact slurm controller";
  text = draw(none, {}, now, 80, 24, true).screen.text();
  CHECK(text.find("Slurm does not answer: Unable to contact slurm controller\n") != std::string::npos);
}

TEST_CASE("help and questions are on the screen") {
  Choice choice;
  choice.help = true;
  CHECK(drawn(60, 20, choice).find("rv why") != std::string::npos);
  for (const int width : {40, 60, 80}) {  // nothing of it is cut
    std::string words = drawn(width, 40, choice);
    std::istringstream pieces(words);
    std::string all;
    for (std::string piece; pieces >> piece;) all += piece + " ";
    for (const char* part :
         {"only runs with this in ID, name or state", "the cluster once a minute.", "unknown or not available"}) {
      CHECK_MESSAGE(all.find(part) != std::string::npos, width, " ", part);
    }
  }
  choice = {};
  choice.asks_to_stop = "k3f9x2";
  CHECK(drawn(60, 20, choice).ends_with("stop run k3f9x2? y: yes; any other key: no\n"));
  choice = {};
  choice.typing_filter = true;
  choice.filter = "swe";
  CHECK(drawn(60, 20, choice).find("/swe_") != std::string::npos);
}

TEST_CASE("the chosen run is always among those shown") {
  auto many = known_things();
  for (int i = 0; i < 1000; ++i) many.runs.push_back(run("r" + std::to_string(i), "x", RunState::done, 5h + i * 1s));
  Choice choice = chosen("r900");
  for (const int height : {12, 24, 60}) {
    auto seen = draw(many, choice, now, 80, height, true);
    CHECK(seen.screen.text().find("\nr900 ") != std::string::npos);
    choice = std::move(seen.choice);
    CHECK(choice.first_row + choice.page <= height);
  }
}
