#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/json/values_json.h"

namespace rv::cli {

namespace {

planner::Request full_request() {
  planner::Request request;
  request.gpus = 4;
  request.types = {"a40", "a100"};
  request.vram = Mebibytes{49'152};
  request.time = std::chrono::hours(3);
  request.memory = Mebibytes{65'536};
  request.cpus = 12;
  request.name = "train";
  request.mig = true;
  request.single_node = true;
  request.nodes = 1;
  request.partitions = {"gpu", "gpu-a40"};
  request.account = planner::DatabaseName("lab");
  request.qos = planner::DatabaseName("high");
  request.constraint = "gpu80";
  request.exclude = {"n1"};
  request.nodelist = {"n2"};
  request.splits = planner::Splits::all;
  request.windows = {{"a40", std::chrono::minutes(30)}};
  request.checkpoint_only = true;
  return request;
}

}  // namespace

TEST_CASE("a run's request is read back as it was written") {
  for (const auto& request : {full_request(), planner::Request()}) {
    const auto written = request_to_json(request);
    const auto again = request_from_json(nlohmann::json::parse(written.dump()));
    CHECK(request_to_json(again) == written);
  }
}

TEST_CASE("a damaged request is refused") {
  auto document = nlohmann::json::parse(request_to_json(full_request()).dump());
  document["gpus"] = "four";
  CHECK_THROWS_AS(request_from_json(document), nlohmann::json::exception);
  document.erase("gpus");
  CHECK_THROWS_AS(request_from_json(document), nlohmann::json::exception);
}

}  // namespace rv::cli
