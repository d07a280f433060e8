#include "planner/cluster/records/database_name.h"

#include <doctest/doctest.h>

#include <map>
#include <unordered_map>

using namespace rv::planner;

namespace {

template <typename A, typename B>
concept comparable_with = requires(const A& a, const B& b) {
  a == b;
};
template <typename A, typename B>
concept ordered_with = requires(const A& a, const B& b) {
  a < b;
};

static_assert(comparable_with<DatabaseName, DatabaseName>);
static_assert(!comparable_with<DatabaseName, std::string>);
static_assert(!comparable_with<std::string, DatabaseName>);
static_assert(!comparable_with<DatabaseName, const char*>);
static_assert(!ordered_with<DatabaseName, std::string_view>);

}  // namespace

TEST_CASE("letter case does not count, and the spelling stays") {
  const DatabaseName name = "gres/gpu:NVIDIA_H100_80GB_S";
  CHECK(name == DatabaseName("GRES/gpu:nvidia_h100_80gb_s"));
  CHECK(name != DatabaseName("gres/gpu:nvidia_h100_80gb"));
  CHECK(name.text() == "gres/gpu:NVIDIA_H100_80GB_S");
  CHECK(name.key() == "gres/gpu:nvidia_h100_80gb_s");
  CHECK(name.starts_with("gres/GPU:"));
  CHECK(!name.starts_with("gres/gpu:nvidia_h100_80gb_sxm"));
  CHECK(name.substr(9) == DatabaseName("nvidia_H100_80gb_S"));
  CHECK(DatabaseName().empty());
}

TEST_CASE("as a key") {
  std::map<DatabaseName, int> ordered{{"Root", 1}, {"ann", 2}};
  ordered["root"] = 3;
  ordered["ROOT2"] = 4;
  CHECK(ordered.size() == 3);
  CHECK(ordered.begin()->second == 2);
  CHECK(ordered.at("rooT") == 3);
  std::unordered_map<DatabaseName, int> hashed{{"MING", 1}};
  CHECK(hashed.contains("ming"));
}
