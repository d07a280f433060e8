// Reports of rv-stress as it writes them.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "reports/stress/evidence.h"

namespace rv::stress {

inline std::string environment_line(int workers, int nodes = 1, bool launch = false) {
  return fmt::format(
      R"({{"kind":"environment","host":"n07","driver":"580.1","device":"gpu","nodes":{},"request":{{"workers":{},"duration_s":60.0,)"
      R"("memory_mib":256,"matrix":8192,"worker_bytes":805306368,"stress":{},"launch":[{}]}},"gpus":[{{"model":"H200"}}]}})"
      "\n",
      nodes, workers, workers > 0, launch ? "\"./launch\"" : "");
}

inline std::string worker_line(int worker, int gpu, long long operations, const std::string& end = "done",
                               const std::string& reason = "", const std::string& cause = "") {
  return fmt::format(
      R"({{"kind":"measurement","suite":"stress","name":"worker {0}","gpu":{{"index":{1},"uuid":"GPU-{1}","model":"H200"}},)"
      R"("value":{2},"unit":"ops/s","params":{{"worker":{0},"end":"{3}","operations":{2},"seconds":60.0,"gpu_peak_bytes":1e9{6}}},)"
      R"("verdict":"{4}","reason":"{5}"}})"
      "\n",
      worker, gpu, operations, end, reason.empty() ? "pass" : "fail", reason,
      cause.empty() ? "" : R"(,"cause":")" + cause + "\"");
}

inline std::string together_line(int gpu, int workers, long long operations) {
  return fmt::format(
      R"({{"kind":"measurement","suite":"stress","name":"together","gpu":{{"index":{0},"uuid":"GPU-{0}","model":"H200"}},)"
      R"("value":{2},"params":{{"workers":{1},"operations":{2},"utilisation_percent":97.0}},"verdict":"pass","reason":""}})"
      "\n",
      gpu, workers, operations);
}

inline std::string check_line(const std::string& name, const std::string& verdict, const std::string& reason = "") {
  return fmt::format(
      R"({{"kind":"measurement","suite":"after","name":"{}","gpu":{{"index":null,"uuid":null,"model":"cpu"}},)"
      R"("params":{{"detail":"no detail"}},"verdict":"{}","reason":"{}"}})"
      "\n",
      name, verdict, reason);
}

inline std::string launch_line(const std::string& name, int given, const std::string& used, int exit_code = 0) {
  std::string uuids;
  for (int i = 0; i < given; ++i) uuids += fmt::format("{}\"GPU-{}\"", i == 0 ? "" : ",", i);
  return fmt::format(
      R"({{"kind":"measurement","suite":"launch","name":"{0}","gpu":{{"index":null,"uuid":null,"model":"cpu"}},"value":1.5,)"
      R"("params":{{"cuda_visible_devices":"0","given":[{1}],"used":{2},"exit_code":{3},"log":"launch-{0}.log"}},)"
      R"("verdict":"{4}","reason":"{5}"}})"
      "\n",
      name, uuids, used, exit_code, exit_code == 0 ? "pass" : "fail",
      exit_code == 0 ? "" : fmt::format("it ended with exit code {}", exit_code));
}

inline const std::string result_line = "{\"kind\":\"result\",\"verdict\":\"pass\"}\n";

inline NodeEvidence node_of(const std::string& lines) {
  return evidence_of(lines + result_line).value();
}

}  // namespace rv::stress
