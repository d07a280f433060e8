#include "workers/ranks/coordinator.h"

#include <doctest/doctest.h>

#include <map>

using namespace rv;
using namespace rv::workers;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

/// Ranks whose actions and times the test determines.
struct Play {
  explicit Play(std::vector<std::string> hosts)
      : count(static_cast<int>(hosts.size())),
        coordinator(std::move(hosts), {seconds(60), seconds(20), seconds(5), seconds(2)}, now) {}

  void join_all() {
    for (int rank = 0; rank < count; ++rank) {
      REQUIRE(coordinator.join(rank, "node" + std::to_string(rank / 2), 100 + rank, "10.0.0.1", now) == "");
    }
    coordinator.outgoing().clear();
  }
  void alive(int rank, int step, const std::string& what) {
    coordinator.receive(rank, {{"op", "alive"}, {"step", step}, {"doing", what}}, now);
  }
  void gather(int rank, const std::string& name, const Json& part) {
    coordinator.receive(rank, {{"op", "gather"}, {"name", name}, {"part", part}}, now);
  }
  /// Time passes; ranks but those in `silent` give signs of life.
  void pass(seconds time, const std::vector<int>& silent = {}) {
    for (const auto end = now + time; now < end;) {
      now += milliseconds(500);
      for (int rank = 0; rank < count; ++rank) {
        if (std::find(silent.begin(), silent.end(), rank) == silent.end()) {
          coordinator.receive(rank, {{"op", "alive"}, {"step", steps[rank]}, {"doing", doing}}, now);
        }
      }
      coordinator.tick(now);
    }
  }
  std::string failure() const { return coordinator.failure() ? coordinator.failure()->message : ""; }

  Clock::time_point now{seconds(1000)};
  int count;
  std::map<int, int> steps;
  std::string doing = "starting";
  Coordinator coordinator;
};

}  // namespace

TEST_CASE("ranks start after the last has joined, and receive each other's hosts and addresses") {
  Play play({"a", "", ""});
  play.coordinator.set_own_address("10.0.0.9");
  CHECK(play.coordinator.join(0, "a", 1, "127.0.0.1", play.now) == "");
  CHECK(play.coordinator.join(2, "c", 3, "10.0.0.3", play.now) == "");
  CHECK(play.coordinator.outgoing().empty());
  CHECK(play.coordinator.join(1, "b", 2, "10.0.0.2", play.now) == "");
  REQUIRE(play.coordinator.outgoing().size() == 3);
  const auto& message = play.coordinator.outgoing().front().message;
  CHECK(message["hosts"] == Json({"a", "b", "c"}));
  CHECK(message["addresses"] == Json({"10.0.0.9", "10.0.0.2", "10.0.0.3"}));
}

TEST_CASE("a rank that joins twice or does not belong to the run is refused") {
  Play play({"a", "b"});
  CHECK(play.coordinator.join(0, "a", 1, "", play.now) == "");
  CHECK(play.coordinator.join(0, "c", 2, "", play.now) == "rank 0 has already joined, from host a");
  CHECK(play.coordinator.join(2, "c", 2, "", play.now) == "rank 2 is not one of the 2 ranks of this run");
}

TEST_CASE("ranks that never join are named, with their hosts if known") {
  Play play({"n1", "n1", "n2", ""});
  play.coordinator.join(0, "n1", 10, "", play.now);
  play.coordinator.join(1, "n1", 11, "", play.now);
  for (int i = 0; i < 61; ++i) {
    play.now += seconds(1);
    for (const int rank : {0, 1}) play.alive(rank, 0, "starting");
    play.coordinator.tick(play.now);
    if (i < 58) CHECK(play.failure() == "");
  }
  CHECK(play.failure() == "2 of 4 ranks did not join within 60 s: rank 2 (host n2), rank 3");
  CHECK(play.coordinator.failure()->ranks == std::vector{2, 3});
  // Those that joined are notified.
  CHECK(play.coordinator.outgoing().size() == 2);
}

TEST_CASE("everybody gets every part, in rank order") {
  Play play({"", "", ""});
  play.join_all();
  play.gather(2, "times", 30);
  play.gather(0, "times", 10);
  CHECK(play.coordinator.outgoing().empty());
  play.gather(1, "times", 20);
  REQUIRE(play.coordinator.outgoing().size() == 3);
  CHECK(play.coordinator.outgoing()[1].message["parts"] == Json({10, 20, 30}));
}

TEST_CASE("ranks at different gatherings are out of step, not served") {
  Play play({"", ""});
  play.join_all();
  play.gather(0, "start", 1);
  play.gather(1, "end", 1);
  CHECK(play.failure().find("out of step") != std::string::npos);
}

TEST_CASE("a rank without a heartbeat is named with what it did") {
  Play play({"", ""});
  play.join_all();
  play.alive(1, 1, "all_reduce 1M");
  play.steps[1] = 1;
  play.pass(seconds(4), {1});
  CHECK(play.failure() == "");
  play.pass(seconds(2), {1});
  CHECK(play.failure() == "rank 1 (host node0, process 101) has sent no heartbeat for 5 s; it was at: all_reduce 1M");
}

TEST_CASE("of a gathering that does not complete, those who are not there are named") {
  Play play({"", "", "", ""});
  play.join_all();
  for (const int rank : {0, 1, 3}) play.gather(rank, "barrier", nullptr);
  play.pass(seconds(21));
  CHECK(play.failure() == "rank 2 (host node1, process 102) is stuck for 20 s at: starting; the others wait");
  CHECK(play.coordinator.failure()->ranks == std::vector{2});
}

TEST_CASE("of ranks that stall in a collective, the one behind is named") {
  Play play({"", "", ""});
  play.join_all();
  for (const int rank : {0, 1, 2}) {
    play.steps[rank] = rank == 1 ? 7 : 8;
    play.alive(rank, play.steps[rank], rank == 1 ? "checking" : "all_reduce");
  }
  play.pass(seconds(21));
  CHECK(play.failure() == "rank 1 (host node0, process 101) is stuck for 20 s at: checking; the others wait");
}

TEST_CASE("ranks stuck at the same step are reported together, without a culprit") {
  Play play({"", ""});
  play.join_all();
  play.pass(seconds(21));
  CHECK(play.failure() == "all 2 ranks are stuck for 20 s at: starting");
  CHECK(play.coordinator.failure()->ranks.empty());
}

TEST_CASE("how a process ended is reported before the mere broken connection") {
  Play play({"", ""});
  play.join_all();
  play.coordinator.disconnected(1, play.now);
  play.coordinator.tick(play.now += milliseconds(100));
  CHECK(play.failure() == "");
  play.coordinator.process_ended(1, "was killed by signal 9 (Killed)", play.now);
  CHECK(play.failure() == "rank 1 (host node0, process 101) was killed by signal 9 (Killed) while at: starting");
}

TEST_CASE("a last message that the report of the end overtakes still counts") {
  Play play({"", "", ""});
  play.join_all();
  play.coordinator.process_ended(1, "exited with 0", play.now);
  play.coordinator.tick(play.now += milliseconds(300));
  CHECK(play.failure() == "");
  play.coordinator.receive(1, {{"op", "bye"}}, play.now);
  play.coordinator.disconnected(1, play.now);
  play.pass(seconds(2));
  CHECK(play.failure() == "");
  play.coordinator.process_ended(0, "exited with 3", play.now);
  SUBCASE("with the reason") {
    play.coordinator.receive(0, {{"op", "fail"}, {"reason", "out_of_memory: allocate"}}, play.now);
    CHECK(play.failure() == "rank 0 (host node0, process 100): out_of_memory: allocate");
  }
  SUBCASE("none came before its connection broke") {
    play.coordinator.disconnected(0, play.now);
    CHECK(play.failure() == "rank 0 (host node0, process 100) exited with 3 while at: starting");
  }
  SUBCASE("none came for long") {
    play.pass(seconds(1));
    CHECK(play.failure() == "rank 0 (host node0, process 100) exited with 3 while at: starting");
  }
}

TEST_CASE("a broken connection without an explanation ends the run; after the normal end it does not") {
  Play play({"", ""});
  play.join_all();
  play.coordinator.receive(0, {{"op", "bye"}}, play.now);
  play.coordinator.disconnected(0, play.now);
  play.coordinator.disconnected(1, play.now);
  play.coordinator.tick(play.now += seconds(1));
  CHECK(play.failure() == "the connection to rank 1 (host node0, process 101) broke while at: starting");
}

TEST_CASE("a coordinator that was itself stopped does not blame a rank") {
  Play play({"", ""});
  play.join_all();
  play.now += seconds(3600);
  play.coordinator.tick(play.now);
  CHECK(play.failure() == "");
  play.pass(seconds(6), {1});
  CHECK(play.failure().find("rank 1") == 0);
}

TEST_CASE("the first failure is the cause, with the rank's own message") {
  Play play({"", ""});
  play.join_all();
  play.coordinator.receive(1, {{"op", "fail"}, {"reason", "no room"}, {"cause", "out_of_memory"}}, play.now);
  play.coordinator.process_ended(0, "exited with 3", play.now);
  CHECK(play.failure() == "rank 1 (host node0, process 101): no room");
  REQUIRE(play.coordinator.failure());
  CHECK(play.coordinator.failure()->cause == "out_of_memory");
}

TEST_CASE("a broken link is the cause only if no rank's death explains it") {
  for (const bool dies : {true, false}) {
    Play play({"", ""});
    play.join_all();
    play.coordinator.receive(0, {{"op", "fail"}, {"reason", "gloo: closed"}, {"symptom", true}}, play.now);
    play.coordinator.process_ended(0, "exited with 3", play.now);
    play.pass(seconds(1));
    CHECK(play.failure() == "");
    if (dies) play.coordinator.process_ended(1, "was killed by signal 9 (Killed)", play.now);
    play.pass(seconds(1));
    CHECK(play.failure().find(dies ? "rank 1" : "rank 0") == 0);
  }
}

TEST_CASE("a rank that reports a part of its step is working, and as far as the others") {
  Play play({"a", "b"});
  play.join_all();
  const auto part_of_step = [&](int rank, int part, const std::string& what) {
    play.coordinator.receive(rank, {{"op", "alive"}, {"step", 1}, {"part", part}, {"doing", what}}, play.now);
  };
  for (int part = 1; part < 60; ++part) {
    play.now += seconds(1);
    for (int rank = 0; rank < 2; ++rank) part_of_step(rank, part, "layer " + std::to_string(part));
    play.coordinator.tick(play.now);
  }
  CHECK(play.failure().empty());
  CHECK(play.coordinator.doing() == "layer 59");
  // One reports more parts than the other, which does not show which one delays the other.
  for (int part = 60; part < 90; ++part) {
    play.now += seconds(1);
    part_of_step(0, part < 65 ? part : 64, "layer 64");
    part_of_step(1, 59, "layer 59");
    play.coordinator.tick(play.now);
  }
  CHECK(play.failure().find("all 2 ranks are stuck") == 0);
}

TEST_CASE("a run does what the rank does that is furthest behind") {
  Play play({"a", "b", "c"});
  CHECK(play.coordinator.doing().empty());
  play.join_all();
  play.alive(0, 3, "training step 3 of 9");
  play.alive(1, 2, "training step 2 of 9");
  play.alive(2, 1, "training step 1 of 9");
  CHECK(play.coordinator.doing() == "training step 1 of 9");
  play.gather(2, "weights", nullptr);
  CHECK(play.coordinator.doing() == "training step 2 of 9");
  play.gather(1, "weights", nullptr);
  play.gather(0, "weights", nullptr);
  play.coordinator.receive(2, {{"op", "bye"}}, play.now);
  CHECK(play.coordinator.doing() == "training step 2 of 9");
}
