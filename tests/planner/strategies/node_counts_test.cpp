#include "planner/strategies/node_counts.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.h"
#include "tests/planner/afton.h"

using namespace rv;
using namespace rv::planner;
using test::ask;

namespace {

std::vector<int> counts(int gpus, Splits splits) {
  Request request = ask(gpus);
  request.splits = splits;
  return node_counts(request);
}

}  // namespace

TEST_CASE("two-nodes splits in two from four GPUs on") {
  CHECK(counts(1, Splits::two_nodes) == std::vector{1});
  CHECK(counts(2, Splits::two_nodes) == std::vector{1});
  CHECK(counts(4, Splits::two_nodes) == std::vector{1, 2});
  CHECK(counts(5, Splits::two_nodes) == std::vector{1});
  CHECK(counts(8, Splits::two_nodes) == std::vector{1, 2});
}

TEST_CASE("pairs leave two GPUs a node at least") {
  CHECK(counts(2, Splits::pairs) == std::vector{1});
  CHECK(counts(3, Splits::pairs) == std::vector{1});
  CHECK(counts(4, Splits::pairs) == std::vector{1, 2});
  CHECK(counts(6, Splits::pairs) == std::vector{1, 2, 3});
  CHECK(counts(8, Splits::pairs) == std::vector{1, 2, 4});
}

TEST_CASE("a huge number of GPUs is taken apart at once") {
  const std::vector<int> even = counts(2'000'000'000, Splits::all);
  CHECK(even.size() == 110);  // 2^10 * 5^9 has (10 + 1) * (9 + 1) divisors
  CHECK(std::is_sorted(even.begin(), even.end()));
  CHECK(counts(2'147'483'647, Splits::all) == std::vector{1, 2'147'483'647});
  CHECK(counts(16, Splits::all) == std::vector{1, 2, 4, 8, 16});
}

TEST_CASE("all leave one") {
  CHECK(counts(2, Splits::all) == std::vector{1, 2});
  CHECK(counts(4, Splits::all) == std::vector{1, 2, 4});
  CHECK(counts(3, Splits::all) == std::vector{1, 3});
}

TEST_CASE("--nodes and --single-node decide") {
  Request request = ask(2);
  request.nodes = 2;
  CHECK(node_counts(request) == std::vector{2});
  request = ask(8);
  request.single_node = true;
  CHECK(node_counts(request) == std::vector{1});
  request.nodes = 1;
  CHECK(node_counts(request) == std::vector{1});
}

TEST_CASE("requests that contradict themselves are usage errors") {
  const auto code = [](const Request& request) {
    try {
      node_counts(request);
    } catch (const rv::Error& error) {
      return error.code();
    }
    return rv::ExitCode::ok;
  };
  Request uneven = ask(4);
  uneven.nodes = 3;
  CHECK(code(uneven) == rv::ExitCode::usage);
  Request none = ask(4);
  none.nodes = 0;
  CHECK(code(none) == rv::ExitCode::usage);
  Request both = ask(4);
  both.nodes = 2;
  both.single_node = true;
  CHECK(code(both) == rv::ExitCode::usage);
  CHECK(code(ask(-1)) == rv::ExitCode::usage);
  CHECK(code(ask(4)) == rv::ExitCode::ok);
}
