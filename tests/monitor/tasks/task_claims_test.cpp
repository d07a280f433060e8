#include "monitor/tasks/task_claims.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <thread>

#include "base/error.h"
#include "tests/base/temporary_folder.h"

namespace rv::monitor {
namespace {

using Numbers = std::vector<int>;

TaskClaim claim(ClaimKind kind, const std::string& start, const std::string& node, const Numbers& tasks) {
  return {.kind = kind, .start = start, .node = node, .token = "t", .tasks = tasks};
}

Numbers up_to(int last) {
  Numbers numbers(static_cast<std::size_t>(last));
  std::iota(numbers.begin(), numbers.end(), 1);
  return numbers;
}

/// As a node does: claims until nothing is left, and returns what it claimed.
Numbers claim_as(const std::string& run, const std::string& node, int total) {
  ClaimFolder folder(run);
  folder.read();
  while (!folder.claims().has_begun("7.0")) folder.append(claim(ClaimKind::pass, "7.0", node, up_to(total)));
  Numbers mine;
  while (folder.claims().unclaimed() > 0) {
    const auto next = folder.claims().next(chunk_size(folder.claims().unclaimed(), total, 4, 2));
    if (folder.append(claim(ClaimKind::chunk, "7.0", node, next))) mine.insert(mine.end(), next.begin(), next.end());
  }
  return mine;
}

}  // namespace

TEST_CASE("an entry of a claim is written and read as one line") {
  const auto line = to_line(claim(ClaimKind::chunk, "4711.0", "n1", {1, 2, 3, 9}));
  CHECK(line == "chunk 4711.0 n1 t 1-3,9\n");
  const auto read = parse_task_claim(line);
  REQUIRE(read);
  CHECK(read->kind == ClaimKind::chunk);
  CHECK(read->tasks == Numbers{1, 2, 3, 9});
  CHECK(parse_task_claim("done 4711.0 n1 t -\n")->tasks.empty());
  for (const char* text : {"", "\n", "chunk 4711.0 n1 t 1-3", "chunk 4711.0 n1 1-3\n", "chunk 4711.0 n1 t 1-3 4\n",
                           "lump 4711.0 n1 t 1-3\n", "chunk 4711.0 n1 t 3-1\n", "chunk  n1 t 1\n"}) {
    CAPTURE(text);
    CHECK(!parse_task_claim(text));
  }
}

TEST_CASE("tasks are claimed in their order, each once") {
  TaskClaims claims;
  CHECK(claims.unclaimed() == 0);
  claims.add(claim(ClaimKind::pass, "7.0", "n1", {2, 4, 6, 8}));
  CHECK(claims.next(3) == Numbers{2, 4, 6});
  claims.add(claim(ClaimKind::chunk, "7.0", "n1", {2, 4, 6}));
  CHECK(claims.next(3) == Numbers{8});
  CHECK(*claims.writer_of(4) == "7.0.n1");
  CHECK(claims.writer_of(8) == nullptr);
  claims.add(claim(ClaimKind::chunk, "7.0", "n2", {8}));
  CHECK(claims.unclaimed() == 0);
  claims.add(claim(ClaimKind::done, "7.0", "n2", {}));
  CHECK(claims.nodes_done() == 1);
}

TEST_CASE("a later start takes over, and an earlier one claims nothing more") {
  TaskClaims claims;
  claims.add(claim(ClaimKind::pass, "7.0", "n1", {1, 2, 3}));
  claims.add(claim(ClaimKind::chunk, "7.0", "n1", {1}));
  claims.add(claim(ClaimKind::pass, "7.1", "n2", {2, 3}));
  CHECK(claims.start() == "7.1");
  CHECK(claims.has_begun("7.0"));
  claims.add(claim(ClaimKind::chunk, "7.0", "n1", {2}));
  claims.add(claim(ClaimKind::done, "7.0", "n1", {}));
  CHECK(claims.next(9) == Numbers{2, 3});
  CHECK(claims.nodes_done() == 0);
  // A second node of the earlier start does not begin it again.
  claims.add(claim(ClaimKind::pass, "7.0", "n3", {1, 2, 3}));
  CHECK(claims.start() == "7.1");
}

TEST_CASE("a node claims all free slots at least, a small share of many tasks, and little near the end") {
  CHECK(chunk_size(100, 100, 1, 4) == 4);
  CHECK(chunk_size(3, 100, 1, 4) == 3);
  CHECK(chunk_size(10'000, 10'000, 1, 4) == 50);
  CHECK(chunk_size(10'000, 10'000, 2, 4) == 25);
  CHECK(chunk_size(8, 100, 2, 4) == 2);
  CHECK(chunk_size(1, 100, 2, 4) == 1);
}

TEST_CASE("of several nodes each task is claimed by one") {
  const TemporaryFolder run;
  std::filesystem::create_directories(run / "map/claims");
  Numbers all;
  std::mutex adding;
  std::vector<std::thread> nodes;
  for (const char* node : {"n1", "n2", "n3", "n4"}) {
    nodes.emplace_back([&, node] {
      const auto mine = claim_as(run.path(), node, 60);
      const std::scoped_lock lock(adding);
      all.insert(all.end(), mine.begin(), mine.end());
    });
  }
  for (auto& node : nodes) node.join();
  std::sort(all.begin(), all.end());
  CHECK(all == up_to(60));
}

TEST_CASE("a damaged claim is an error") {
  const TemporaryFolder run;
  run.write("map/claims/1", "pass 7.0 n1 t 1-3\n");
  run.write("map/claims/2", "chunk 7.0 n1");
  ClaimFolder folder(run.path());
  CHECK_THROWS_AS(folder.read(), Error);
}

}  // namespace rv::monitor
