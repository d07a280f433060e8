// Results as a sweep leaves them.
#pragma once

#include <string>

#include "reports/sweep/order.h"
#include "reports/sweep/point_result.h"

namespace rv::sweep {

inline Order order_over(std::vector<Axis> axes) {
  Order order;
  order.command = {"train"};
  for (const auto& axis : axes) order.command.push_back("{" + axis.name + "}");
  order.folder = "/project";
  order.axes = std::move(axes);
  return order;
}

/// A point that ran with such a throughput.
inline PointResult ran(long long envs, double throughput, double vram_mib = 0) {
  PointResult result;
  result.point.settings = {{"envs", std::to_string(envs)}};
  result.folder = "envs_" + std::to_string(envs);
  result.command = {"train", std::to_string(envs)};
  result.host = "n1";
  result.gpus = {"NVIDIA H100 NVL"};
  result.wall_s = 60;
  result.end = {EndKind::done, 0, "exit code 0"};
  result.metrics[steps_per_s].values = {throughput};
  if (vram_mib > 0) result.samples.figures = {{"peak_vram_mib", vram_mib}, {"vram_total_mib", 95'830}};
  return result;
}

inline PointResult ended(long long envs, EndKind kind, const std::string& evidence = "it said so") {
  auto result = ran(envs, 1);
  result.metrics.clear();
  result.end = {kind, 1, evidence};
  return result;
}

/// The seed's projected curve: linear to 8,192, a plateau, a decline, out of memory at 65,536.
inline std::vector<PointResult> projected() {
  return {ran(1024, 10'000, 6'000),
          ran(2048, 19'500, 10'000),
          ran(4096, 38'000, 18'000),
          ran(8192, 70'000, 34'000),
          ran(16'384, 71'500, 65'000),
          ran(32'768, 60'000, 90'000),
          ended(65'536, EndKind::gpu_out_of_memory, "CUDA out of memory")};
}

}  // namespace rv::sweep
