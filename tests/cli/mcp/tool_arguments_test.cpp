#include "cli/mcp/tool_arguments.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "tests/cli/fixture_app.h"

namespace rv::mcp {
namespace {

using Line = std::vector<std::string>;

Line line_of(const char* tool, const Json& arguments) {
  const cli::TestApp test;
  return command_line(tool_named(tool), arguments, *test.app);
}

std::string refusal(const char* tool, const Json& arguments) {
  try {
    line_of(tool, arguments);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the arguments of a tool become options of rv, and text never becomes an option") {
  CHECK(line_of("ps", {{"limit", 5}, {"all", true}}) == Line{"ps", "--json", "--all", "--limit=5"});
  CHECK(line_of("ps", {{"all", false}}) == Line{"ps", "--json"});
  CHECK(line_of("plan", {{"type", {"a40", "h200"}}}) == Line{"plan", "--json", "--type=a40", "--type=h200"});
  CHECK(line_of("show", {{"run", "--all"}}) == Line{"show", "--json", "--", "--all"});
  CHECK(line_of("logs", Json::object()) == Line{"logs", "--json", "--tail=200"});
  CHECK(line_of("logs", {{"tail", 3}}) == Line{"logs", "--json", "--tail=3"});
}

TEST_CASE("a command is run by bash, also if a batch script has its name") {
  const Json arguments = {{"gpu", 2}, {"time", "1h"}, {"command", "job.sbatch"}, {"token", "7f"}};
  CHECK(line_of("run", arguments) ==
        Line{"run", "--json", "--name=agent", "--gpu=2", "--time=1h", "--", "bash", "-c", "job.sbatch"});
  Json named = arguments;
  named["name"] = "eval";
  named["env"] = {{"SEED", 7}};
  CHECK(line_of("run", named) ==
        Line{"run", "--json", "--gpu=2", "--time=1h", "--name=eval", "--env=SEED=7", "--", "bash", "-c", "job.sbatch"});
  Json reordered = named;
  named["env"] = Json::parse(R"({"A": 1, "B": 2})");
  reordered["env"] = Json::parse(R"({"B": 2, "A": 1})");
  CHECK(line_of("run", named) == line_of("run", reordered));
  CHECK(line_of("up", {{"gpu", 1}, {"time", "1h"}}) ==
        Line{"up", "--json", "--detach", "--name=agent", "--gpu=1", "--time=1h"});
}

TEST_CASE("an argument that a tool does not accept is refused") {
  CHECK(refusal("ps", {{"sine", "7d"}}) == "ps has no argument \"sine\"; did you mean \"since\"?");
  CHECK(refusal("ps", {{"all", 1}}) == "argument \"all\": expected true or false, not number");
  CHECK(refusal("ps", {{"limit", nullptr}}) == "argument \"limit\": expected a string or a number, not null");
  CHECK(refusal("plan", {{"type", {"a40", true}}}) == "argument \"type\": expected a string or a number, not boolean");
  CHECK(refusal("plan", {{"gpu", {1, 2}}}) == "argument \"gpu\": expected a string or a number, not array");
  CHECK(refusal("run", {{"gpu", 1}, {"time", "1h"}}) == "run needs the argument \"command\"");
  CHECK(refusal("stop", {{"run", ""}}) == "argument \"run\" is empty");
  const Json run = {{"gpu", 1}, {"time", "1h"}, {"command", "true"}};
  Json named = run;
  named["env"][std::string(200'000, 'x')] = 1;
  CHECK(refusal("run", named).ends_with("at most 100000 bytes, and no NUL byte"));
  named = run;
  named["env"][std::string("A\0B", 3)] = 1;
  CHECK(refusal("run", named).ends_with("at most 100000 bytes, and no NUL byte"));
  CHECK(refusal("show", {{"run", std::string(200'000, 'x')}}).ends_with("at most 100000 bytes, and no NUL byte"));
}

TEST_CASE("each tool has a command of rv, and a schema for each of its arguments") {
  const cli::TestApp test;
  const auto list = tool_list(*test.app).at("tools");
  REQUIRE(list.size() == tools().size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    CAPTURE(tools()[i].name);
    const auto& properties = list[i].at("inputSchema").at("properties");
    CHECK(properties.size() == argument_names(tools()[i]).size());
    CHECK(properties.contains("token") != list[i].at("annotations").at("readOnlyHint").get<bool>());
  }
}

}  // namespace rv::mcp
