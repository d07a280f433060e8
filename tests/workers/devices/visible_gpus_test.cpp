#include "workers/devices/visible_gpus.h"

#include <doctest/doctest.h>

namespace rv::workers {
namespace {

std::string names(const std::optional<std::string>& list) {
  std::vector<GpuReadings> all(3);
  all[0].uuid = "GPU-aa11";
  all[1].uuid = "GPU-bb22";
  all[2].uuid = "GPU-bc33";
  std::string text;
  for (const auto& gpu : visible_gpus_of(all, list)) text += gpu.uuid.substr(4) + " ";
  return text;
}

TEST_CASE("a job's GPUs are those that CUDA would show it") {
  CHECK(names(std::nullopt) == "aa11 bb22 bc33 ");
  CHECK(names("2,0") == "bc33 aa11 ");
  CHECK(names("GPU-bb") == "bb22 ");
  CHECK(names("").empty());
  CHECK(names("1,7,0") == "bb22 ");
  CHECK(names("-1").empty());
  CHECK(names("NoDevFiles").empty());
  CHECK(names("MIG-1234").empty());
}

}  // namespace
}  // namespace rv::workers
