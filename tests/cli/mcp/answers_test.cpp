#include "cli/mcp/answers.h"

#include <doctest/doctest.h>

#include "base/error.h"

namespace rv::mcp {

using namespace std::chrono_literals;

TEST_CASE("the answer to a query is returned again for 30 seconds") {
  Answers answers;
  const Answers::Clock::time_point now{};
  os::Result result;
  result.out = "{}";
  answers.store({"ps", "--json"}, result, now);
  const auto answer = answers.find({"ps", "--json"}, now + 29s);
  REQUIRE(answer);
  CHECK(answer->result.out == "{}");
  CHECK(answer->age == 29s);
  CHECK(!answers.find({"ps", "--json"}, now + 30s));
  CHECK(!answers.find({"ps", "--json", "--all"}, now));
  answers.clear();
  CHECK(!answers.find({"ps", "--json"}, now));
}

TEST_CASE("more than 20 queries in 30 seconds are refused") {
  Answers answers;
  const Answers::Clock::time_point now{};
  for (std::size_t i = 0; i < Answers::most_queries; ++i) answers.count_query(now + std::chrono::seconds(i));
  CHECK_THROWS_WITH_AS(answers.count_query(now + 20s), doctest::Contains("more than 20 different calls"), Error);
  answers.count_query(now + 30s);
  CHECK_THROWS_AS(answers.count_query(now + 30s), Error);
}

}  // namespace rv::mcp
