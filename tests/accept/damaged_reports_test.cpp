// Workers' reports and files of baselines, damaged.
#include <string>

#include "base/os/atomic_file.h"
#include "reports/accept/baseline_yaml.h"
#include "reports/accept/evidence.h"
#include "tests/damaged.h"
#include "tests/source_tree.h"

using namespace rv;
using test::survives;

TEST_CASE("damaged reports are read as far as they go") {
  survives([](auto text) { accept::parse_worker_report(text); },
           R"({"kind":"environment","host":"n1","gpus":[]}
{"kind":"measurement","suite":"gemm","name":"gemm_bf16","gpu":{"index":1,"uuid":"GPU-b","model":"NVIDIA H200"},"value":690.5,"spread":1.5,"unit":"TFLOP/s","params":{"n":8192},"verdict":"pass","reason":""}
{"kind":"measurement","suite":"straggler","name":"work","gpu":{"index":"all","uuid":null,"model":"all ranks"},"value":1,"spread":null,"unit":"ms","params":{},"verdict":"fail","reason":"slow: rank 3","rank":3}
{"kind":"result","verdict":"pass"}
)",
           2000);
}

TEST_CASE("damaged baselines are refused or read") {
  const auto whole = os::read_file(in_tree("reports/accept/baselines.yaml"));
  REQUIRE(whole.has_value());
  survives([](auto text) { accept::parse_baselines(text, "baselines.yaml"); }, whole->substr(0, 3000), 300);
}
