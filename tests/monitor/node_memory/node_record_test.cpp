#include "monitor/node_memory/node_record.h"

#include <doctest/doctest.h>

namespace rv::monitor {
namespace {

using std::chrono::hours;

constexpr TimePoint now{hours(24 * 20'000)};

NodeEvent fault(std::string node, std::string run, hours ago, std::string command = "") {
  return {.kind = NodeEventKind::fault,
          .cluster = "c",
          .node = std::move(node),
          .cause = failures::Cause::gpu_hardware,
          .evidence = "Xid 79",
          .run = run,
          .command = command.empty() ? run : std::move(command),
          .time = now - ago};
}

NodeEvent success(std::string node, std::string run, hours ago) {
  auto event = fault(std::move(node), std::move(run), ago);
  event.kind = NodeEventKind::success;
  return event;
}

NodeEvent forgotten(std::string node, hours ago) {
  auto event = fault(std::move(node), "", ago);
  event.kind = NodeEventKind::forgotten;
  return event;
}

TEST_CASE("a node is avoided from the second fault within seven days on") {
  CHECK_FALSE(node_records({fault("n1", "a", hours(5))}, now)[0].avoided());
  CHECK(node_records({fault("n1", "a", hours(5)), fault("n1", "b", hours(2))}, now)[0].avoided());
  const auto late = node_records({fault("n1", "a", hours(24 * 8)), fault("n1", "b", hours(2))}, now);
  CHECK_FALSE(late[0].avoided());
  CHECK(late[0].faults.size() == 2);
  CHECK(late[0].faults[1].excuse == "more than 7 days ago");
}

TEST_CASE("a run that ends well on the node halves its earlier faults") {
  const auto records =
      node_records({fault("n1", "a", hours(9)), fault("n1", "b", hours(8)), success("n1", "c", hours(7))}, now);
  CHECK(records[0].weight == doctest::Approx(1));
  CHECK(records[0].successes == 1);
  CHECK_FALSE(records[0].avoided());
  const auto again = node_records({fault("n1", "a", hours(9)), fault("n1", "b", hours(8)), success("n1", "c", hours(7)),
                                   fault("n1", "d", hours(6))},
                                  now);
  CHECK(again[0].weight == doctest::Approx(2));
  CHECK(again[0].avoided());
  // The later attempt of the same run went well there: the fault was seen, and the node may still have it.
  const auto same =
      node_records({fault("n1", "a", hours(9)), fault("n1", "b", hours(8)), success("n1", "b", hours(7))}, now);
  CHECK(same[0].weight == doctest::Approx(1.5));
}

TEST_CASE("a command that fails alike on three nodes is not the nodes' fault") {
  const std::vector<NodeEvent> everywhere = {fault("n1", "a", hours(9), "x"), fault("n1", "b", hours(8), "x"),
                                             fault("n2", "c", hours(7), "x"), fault("n3", "d", hours(6), "x")};
  for (const auto& record : node_records(everywhere, now)) {
    CHECK(record.weight == 0);
    CHECK(record.faults[0].excuse == "its command fails on every node");
  }
  auto well_elsewhere = everywhere;
  well_elsewhere.insert(well_elsewhere.begin() + 3, success("n9", "e", hours(6)));
  well_elsewhere[3].command = "x";
  CHECK(node_records(well_elsewhere, now)[0].avoided());
  auto other_cause = everywhere;
  other_cause[3].cause = failures::Cause::gpu_missing;
  CHECK(node_records(other_cause, now)[0].avoided());
}

TEST_CASE("--forget ends what was before, and nothing after it") {
  const auto records =
      node_records({fault("n1", "a", hours(9)), fault("n1", "b", hours(8)), forgotten("n1", hours(7)),
                    fault("n1", "c", hours(6)), fault("n2", "a", hours(9)), fault("n2", "b", hours(8))},
                   now);
  REQUIRE(records.size() == 2);
  CHECK(records[0].node == "n2");
  CHECK(records[0].avoided());
  CHECK(records[1].faults.size() == 1);
  CHECK(node_records({fault("n1", "a", hours(9)), forgotten("n1", hours(7))}, now).empty());
}

}  // namespace
}  // namespace rv::monitor
