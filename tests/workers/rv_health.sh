#!/usr/bin/env bash
# rv-health where there is no GPU: a skip that says so. usage: rv_health.sh WORKER cuda|cpu-only
set -u
worker=$(realpath "${1:?the rv-health binary}")
build=${2:?cuda or cpu-only}
# shellcheck source=tests/workers/worker_case.sh
. "$(dirname "$(realpath "$0")")/worker_case.sh"

run 77 --json --report-dir reports
json out 'd[0]["kind"] == "environment" and d[0]["readings"] == [] and set(d[0]["versions"]) ==
  {"cuda_driver", "cuda_runtime", "cublaslt", "nccl"}'
# Which library it took is said wherever it has a version.
json out '(d[0]["versions"]["nccl"] is not None) == any("/libnccl.so" in file for file in d[0]["libraries"])'
json out 'd[1]["reason"] == "no_gpu" and d[1]["params"]["detail"] and d[-1]["verdict"] == "skip"'
cmp -s out reports/rv-health.*.jsonl || fail "the report file differs from stdout"
# A library that is carried beside the worker comes before the toolkit's.
if [ "$build" = cuda ]; then
  mkdir -p carried/lib
  cp "$worker" carried/rv-health
  g++ -shared -fPIC -x c++ -o carried/lib/libnccl.so.2 - <<< 'extern "C" int ncclGetVersion(int* v) { *v = 29907; return 0; }'
  worker=$work/carried/rv-health LD_LIBRARY_PATH='' run 77
  has '^nccl 2.99.7$' out
  has "^taken: $work/carried/lib/libnccl.so.2$" out
fi
run 0 --allow-skip
has '\[HEALTH\]' out
# A report without readings is no earlier report; a file that is not there is wrong usage.
run 3 --before reports/*.jsonl
has 'holds no earlier report' err
run 2 --before missing
# A GPU that was there before and is gone is a finding.
echo '{"kind":"environment","readings":[{"uuid":"GPU-gone","model":"H200","numbers":{"pcie_replays":1}}]}' > before
run 1 --before before
has 'GPU-gone gpu: fail, this GPU was there before' out
run 0 --help
echo passed
