// Evidence as workers would have left it, for tests.
#pragma once

#include <string>
#include <vector>

#include "reports/accept/evidence.h"
#include "reports/accept/order.h"

namespace rv::accept {

inline Figure gpu_figure(int gpu, const std::string& name, double value, const std::string& unit = "TFLOP/s") {
  Figure figure;
  figure.suite = "gemm";
  figure.name = name;
  figure.gpu_index = gpu;
  figure.gpu_uuid = "GPU-" + std::to_string(gpu);
  figure.model = "NVIDIA H200";
  figure.value = value;
  figure.unit = unit;
  figure.params = nlohmann::ordered_json::object();
  figure.verdict = Verdict::pass;
  return figure;
}

inline nlohmann::ordered_json gpus_environment(int gpus) {
  nlohmann::ordered_json json = {{"kind", "environment"}, {"gpus", nlohmann::ordered_json::array()}};
  for (int i = 0; i < gpus; ++i) {
    json["gpus"].push_back({{"index", i}, {"uuid", "GPU-" + std::to_string(i)}, {"model", "NVIDIA H200"}});
  }
  return json;
}

inline StepEvidence step_done(const std::string& step, std::vector<Figure> figures,
                              nlohmann::ordered_json environment = nullptr) {
  StepEvidence done;
  done.step = step;
  done.exit_code = 0;
  WorkerReport report;
  report.environment = std::move(environment);
  report.figures = std::move(figures);
  report.result = Verdict::pass;
  done.reports.push_back(std::move(report));
  return done;
}

/// Four GPUs of one node that computed, at these speeds.
inline NodeEvidence four_gpus(const std::vector<double>& speeds, const std::string& node = "n1") {
  std::vector<Figure> figures;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    figures.push_back(gpu_figure(static_cast<int>(i), "gemm_bf16", speeds[i]));
  }
  NodeEvidence evidence;
  evidence.node = node;
  evidence.steps.push_back(step_done("compute", figures, gpus_environment(static_cast<int>(speeds.size()))));
  evidence.steps.push_back(step_done("compute-link", {gpu_figure(0, "h2d", 55, "GB/s")}));
  return evidence;
}

inline Order compute_order(int nodes = 1, int gpus = 4) {
  return {.nodes = nodes, .gpus_per_node = gpus, .full = false, .device = "auto", .suites = {Suite::compute}};
}

}  // namespace rv::accept
