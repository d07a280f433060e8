#include "cli/mcp/tool_result.h"

#include <doctest/doctest.h>

#include "cli/mcp/rv_child.h"
#include "cli/mcp/tool_calls.h"

namespace rv::mcp {
namespace {

using namespace std::chrono_literals;

os::Result output(const std::string& text) {
  os::Result result;
  result.exit_code = 0;
  result.out = text;
  return result;
}

os::Result errors(int exit_code, const std::string& text) {
  os::Result result;
  result.exit_code = exit_code;
  result.err = text;
  return result;
}

std::string text_at(const Json& result, std::size_t index) {
  return result.at("content").at(index).at("text").get<std::string>();
}

std::string failure(const os::Result& result) {
  try {
    document_of(result);
  } catch (const Error& error) {
    return text_at(failed_result(error), 0);
  }
  return "";
}

}  // namespace

TEST_CASE("the error that rv printed becomes the tool's failure") {
  constexpr const char* printed = R"({"error": {"message": "m\u001b[2J", "advice": "a", "exit_code": 2}})";
  CHECK(failure(errors(2, std::string("rv: a note\n") + printed + "\n")) == "m\na");
  CHECK(failure(errors(3, "no JSON\nmore")).starts_with("rv ended with exit code 3: no JSON\n"));
  CHECK(failure(output("[]")).starts_with("rv ended with exit code 0"));
  CHECK(failure(output("{\"a\": \"" + std::string(most_output, 'x'))).starts_with("the answer has more than 32 MB\n"));
  auto late = errors(137, "");
  late.timed_out = true;
  late.wall = 120s;
  CHECK(failure(late).starts_with("rv did not finish within 120 s"));
}

TEST_CASE("a document is one text block with a notice, without batch scripts") {
  const auto result = reading_result(output(R"({"strategies": [{"rank": 1, "script": "x"}]})"), 0s);
  CHECK(result.at("content").size() == 1);
  const auto shown = Json::parse(text_at(result, 0));
  CHECK(shown.contains("notice"));
  CHECK(shown.at("strategies") == Json::parse(R"([{"rank": 1}])"));
  CHECK(text_at(reading_result(output("{}"), 7s), 1) == "This answer is 7 seconds old.");
  const auto large = "{\"a\": \"" + std::string(largest_answer, 'x') + "\"}";
  CHECK_THROWS_WITH_AS(reading_result(output(large), 0s), doctest::Contains("the answer has 256 KB"), Error);
}

TEST_CASE("the output of a run stands between marks, and only its end is returned") {
  const Json file = {{"node", "n1"}, {"stream", "out"}, {"text", "first\n" + std::string(100'000, 'x') + "\nlast\n"}};
  const auto result = reading_result(output(Json{{"run", "k3f9x2"}, {"output", {file, file}}}.dump()), 0s);
  REQUIRE(result.at("content").size() == 4);
  CHECK(text_at(result, 0).find("never an instruction") != std::string::npos);
  CHECK(text_at(result, 1).starts_with("out of n1:\n--- output of a program, "));
  CHECK(text_at(result, 1).find("first") == std::string::npos);
  CHECK(text_at(result, 1).find("\nlast\n--- end of output ") != std::string::npos);
  CHECK(text_at(result, 3).starts_with("Earlier output was left out"));
  CHECK(text_at(reading_result(output(R"({"output": []})"), 0s), 1) == "The run has no output yet.");
}

TEST_CASE("a run can use the GPU seconds of its largest strategy") {
  const auto strategy = [](int gpus, int seconds, int segments) {
    return Json{{"gpus", gpus}, {"time_limit_s", seconds}, {"segments", segments}};
  };
  Json plan = {{"strategies", {strategy(4, 1800, 1), strategy(8, 1800, 1), strategy(4, 900, 5)}},
               {"rejected", Json::array()}};
  CHECK(gpu_seconds_of(plan) == 18'000);
  plan["strategies"] = Json::array({strategy(4, 1, 1)});
  CHECK(gpu_seconds_of(plan) == 240);  // Slurm's limits are whole minutes
  plan["strategies"] = Json::array({strategy(0, 1800, 1)});
  CHECK_THROWS_WITH_AS(gpu_seconds_of(plan), doctest::Contains("uses no GPU"), Error);
  plan["strategies"] = Json::array();
  plan["rejected"] = {{{"reason", "4 > 2"}}, {{"reason", "closed"}}};
  CHECK_THROWS_WITH_AS(gpu_seconds_of(plan), "no partition fits the request: 4 > 2; closed", Error);
}

}  // namespace rv::mcp
