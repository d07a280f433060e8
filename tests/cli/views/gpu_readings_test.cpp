#include "cli/views/gpu_readings.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace rv::cli {

TEST_CASE("nvidia-smi's lines become figures by node and GPU; missing values stay unknown") {
  const auto readings = parse_gpu_readings(
      "motd of the node\n"
      "n2|0, NVIDIA A100 80GB PCIe, [N/A], 10, 81920, [Not Supported], 300.00, 40\n"
      "n1|1, NVIDIA H200, 100, 73216, 143771, 612.34, 700.00, 64\n"
      "n1|0, NVIDIA H200, 0, 1, 143771, 77.35, 700.00, 31\r\n"
      "n3|-|this node has no nvidia-smi\n"
      "n4|garbled\n");
  REQUIRE(readings.gpus.size() == 3);
  CHECK(readings.gpus[0].node == "n1");
  CHECK(readings.gpus[0].index == 0);
  CHECK(readings.gpus[0].temperature == 31);
  CHECK(readings.gpus[1].utilisation == 100);
  CHECK(readings.gpus[1].power == 612.34);
  CHECK_FALSE(readings.gpus[2].utilisation.has_value());
  CHECK_FALSE(readings.gpus[2].power.has_value());
  CHECK(readings.troubles == std::vector<std::string>{"n3: this node has no nvidia-smi"});
  const auto table = gpu_table(readings, {});
  CHECK(table.find("71.5 of 140.4 GiB") != std::string::npos);
  CHECK(table.find("612 of 700 W") != std::string::npos);
  CHECK(gpu_readings_json(readings)["gpus"][2]["power_w"].is_null());
}

TEST_CASE("the whole allocation is as busy as its busiest GPU, and unknown where one is") {
  const planner::TimePoint now{std::chrono::seconds(1'790'000'000)};
  const std::string idle = "n1|0, NVIDIA H200, 0, 1, 143771, 77.35, 700.00, 31\n";
  const std::string busy = "n1|1, NVIDIA H200, 97, 1, 143771, 77.35, 700.00, 31\n";
  const std::string silent = "n2|0, NVIDIA H200, [N/A], 1, 143771, 77.35, 700.00, 31\n";
  const auto look = [&](const std::string& text) { return gpu_look(parse_gpu_readings(text), now); };
  CHECK(look(idle) == monitor::GpuSample{now, 0, true});
  CHECK(look(idle + busy) == monitor::GpuSample{now, 97, true});
  CHECK(look(idle + silent) == monitor::GpuSample{now, 0, false});
  CHECK(look(idle + "n2|-|this node has no nvidia-smi\n") == monitor::GpuSample{now, 0, false});
  CHECK(look("") == monitor::GpuSample{now, std::nullopt, false});
}

TEST_CASE("a job's own readings: sorted by time, without torn or foreign lines, with clocks if requested") {
  const auto looks = parse_job_readings(
      "1790000000|n1|0, NVIDIA H200, 90, 1024, 143771, 612.34, 700.00, 64, 580.159.04, 1980\n"
      "1790000000|n1|1, NVIDIA H200, [N/A], 1024, 143771, 612.34, 700.00, 64, 580.159.04, [N/A]\n"
      "1790000005|n1|-|nvidia-smi: lost\n"
      "nonsense\n99|\n-5|n1|0, X, 1, 1, 1, 1, 1, 1\n"
      "1790000010|n1|0, NVIDIA H200, 80, 1024, 143771, 612.34, 700.00, 64\n"
      "1790000020|n1|0, NVIDIA H2");
  REQUIRE(looks.size() == 2);
  REQUIRE(looks[0].readings.gpus.size() == 2);
  CHECK(looks[0].readings.gpus[0].clock == 1980);
  CHECK(looks[0].readings.gpus[0].driver == "580.159.04");
  CHECK_FALSE(looks[0].readings.gpus[1].clock.has_value());
  CHECK(looks[1].time.time_since_epoch().count() == 1790000010);
  CHECK(looks[1].readings.gpus[0].utilisation == 80);
  CHECK_FALSE(looks[1].readings.gpus[0].clock.has_value());
  const auto again = parse_kept_readings(kept_line(looks[0].readings, looks[0].time));
  REQUIRE(again.size() == 1);
  CHECK(again[0].readings.gpus[0].clock == 1980);
}

TEST_CASE("output without readings is rejected") {
  const auto readings = parse_gpu_readings("srun: error\n\n|\n");
  CHECK(readings.gpus.empty());
  CHECK(readings.troubles.empty());
}

}  // namespace rv::cli
