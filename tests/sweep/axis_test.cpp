#include "reports/sweep/axis.h"

#include <doctest/doctest.h>

#include <functional>

#include "base/error.h"

namespace rv::sweep {
namespace {

std::string fault_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code() == ExitCode::usage ? error.what() : "not a usage error";
  }
  return "nothing was refused";
}

}  // namespace

TEST_CASE("an axis is a name and its values") {
  CHECK(parse_axis("envs=1024,2048") == Axis{"envs", {"1024", "2048"}});
  CHECK(parse_axis("task=a=b") == Axis{"task", {"a=b"}});
  const auto refused = [](const std::string& text) { return fault_of([&] { parse_axis(text); }); };
  CHECK(refused("envs=") == "--over envs=: envs has no values");
  CHECK(refused("envs") == "--over envs: envs has no values");
  CHECK(refused("envs=1,,2") == "--over envs=1,,2: a value is empty");
  CHECK(refused("envs=1,2,1") == "--over envs=1,2,1: 1 is given twice");
  CHECK(refused("=1").find("a name") != std::string::npos);
  CHECK(refused("2x=1").find("a name") != std::string::npos);
  CHECK(refused("file=../x").find("folder") != std::string::npos);
}

TEST_CASE("placeholders take the point's values, other braces stay") {
  const Settings settings{{"envs", "8"}, {"batch", "2"}};
  CHECK(filled("--num_envs={envs}", settings) == "--num_envs=8");
  CHECK(filled("{envs}x{batch}", settings) == "8x2");
  CHECK(filled("{{envs}}", settings) == "{envs}");
  CHECK(filled("awk '{print $1}' {envs", settings) == "awk '{print $1}' {envs");
  CHECK(filled("${envs}", settings) == "$8");
  CHECK(filled("{a b}{}", settings) == "{a b}{}");
}

TEST_CASE("a placeholder without an axis and an axis without a placeholder are refused by name") {
  const std::vector<Axis> axes = {{"envs", {"1"}}};
  CHECK_NOTHROW(check_placeholders({"train", "{envs}", "{print $1}", "{{other}}"}, axes));
  CHECK(fault_of([&] {
          check_placeholders({"train", "{envs}", "{batch}"}, axes);
        }) == "{batch}: no --over has this name");
  CHECK(fault_of([&] {
          check_placeholders({"train", "{env}"}, axes);
        }).find("did you mean \"envs\"") != std::string::npos);
  CHECK(fault_of([&] { check_placeholders({"train"}, axes); }) ==
        "--over envs: the command has no {envs}, so every point would be the same");
}

TEST_CASE("whole numbers are digits alone") {
  CHECK(whole_number("1024") == 1024);
  CHECK(!whole_number("0"));
  CHECK(!whole_number("-3"));
  CHECK(!whole_number("1e3"));
  CHECK(!whole_number(""));
}

}  // namespace rv::sweep
