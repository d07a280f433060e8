#include "planner/replay/model/node_numbering.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/planner/queue.h"

using namespace rv;
using namespace rv::planner;
using namespace std::chrono_literals;
using Numbers = std::vector<int>;

namespace {

/// Nodes 0, 2 and 4 in one part, 1 and 3 in another, 5 in none; jobs 0 … 3, of which 3 waits for 1.
struct Parts {
  ReplayModel model;
  std::vector<Component> components{2};

  Parts() {
    for (int i = 0; i < 6; ++i) {
      model.nodes.emplace_back().total.cpus = i;
      model.reserved_times.push_back({{i, i + 1, -1}});
      model.positions.push_back(i);
    }
    for (int i = 0; i < 4; ++i) model.jobs.emplace_back().number = i;
    model.jobs[3].after = {1};
    model.partition_nodes = {{0, 2, 4}, {1, 3}};
    model.shapes = {{0, 1, {0, 4}, 0}, {0, 1, {1, 3}, 2}};
    model.running = {{0, -1, -1, {{2, {}}}}};
    model.entries = {{3, 0, 0, 1}, {2, 1, 1, 1}, {1, 0, 0, 1}};
    components[0].nodes = {1, 3};
    components[0].entries.emplace_back().job = 2;
    components[1].nodes = {0, 2, 4};
    components[1].running = {0};
    components[1].entries.emplace_back().job = 3;
    components[1].entries.emplace_back().job = 1;
  }
};

}  // namespace

TEST_CASE("nodes of a component are adjacent and keep their order") {
  Parts parts;
  number_by_component(parts.model, parts.components);
  CHECK(parts.components[0].nodes == Numbers{0, 1});
  CHECK(parts.components[1].nodes == Numbers{2, 3, 4});
  CHECK(parts.model.positions == Numbers{1, 3, 0, 2, 4, 5});
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(parts.model.nodes[i].total.cpus == parts.model.positions[i]);
    CHECK(parts.model.reserved_times[i][0].begin == parts.model.positions[i]);
  }
  CHECK(parts.model.partition_nodes == std::vector<Numbers>{{2, 3, 4}, {0, 1}});
  CHECK(parts.model.shapes[0].places == Numbers{2, 4});
  CHECK(parts.model.shapes[1].places == Numbers{0, 1});
  CHECK(parts.model.running[0].parts[0].node == 3);
}

TEST_CASE("jobs are numbered in the order of their queue, wherever they are named") {
  Parts parts;
  number_by_component(parts.model, parts.components);
  const auto was = [&](int job) { return parts.model.jobs[job].number; };
  CHECK(parts.components[0].entries[0].job == 0);
  CHECK(parts.components[1].entries[0].job == 1);
  CHECK(parts.components[1].entries[1].job == 2);
  CHECK(was(0) == 2);
  CHECK(was(1) == 3);
  CHECK(was(2) == 1);
  CHECK(was(3) == 0);
  CHECK(parts.model.jobs[1].after == Numbers{2});
  CHECK(parts.model.running[0].job == 3);
  for (const Entry& entry : parts.model.entries) CHECK(was(entry.job) == (entry.job == 1 ? 3 : entry.job == 0 ? 2 : 1));
}

TEST_CASE("neighbours are those of the site, not those of the replay") {
  Cluster cluster = test::queue_cluster(5, 4);
  test::add_partition(cluster, "odd").max_time = 240h;
  for (const char* name : {"n1", "n3"}) test::node_of(cluster, name).partitions = {"odd"};
  test::running(cluster, "1", {"n0"}, 1, 1h);
  test::running(cluster, "2", {"n4"}, 2, 1h);
  test::pending(cluster, "3", 1, 1, 10h);
  // n0, n2 and n4 are each their own run, of which job 3 takes the fullest, n4. Were they one run, it would take
  // its first.
  Strategy three = test::a_strategy(1, 3, 1h);
  three.nodelist = {"n0"};
  CHECK(test::median(cluster, three) <= 30);
  three.nodelist = {"n4"};
  CHECK(test::median(cluster, three) > 3600);
}
