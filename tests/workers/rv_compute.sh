#!/usr/bin/env bash
# rv-compute as people run it. usage: rv_compute.sh RV_COMPUTE cuda|cpu-only
set -u
worker=$(realpath "${1:?the rv-compute binary}")
build=${2:?cuda or cpu-only}
# shellcheck source=tests/workers/worker_case.sh
. "$(dirname "$(realpath "$0")")/worker_case.sh"

case $build in
  cuda) reason=no_gpu ;;
  *) reason=no_cuda_build ;;
esac

# The CPU runs every suite for real, and the file holds the same lines as stdout.
run 0 --device cpu --quick --size 128 --json --report-dir reports
json out '[l["kind"] for l in d][0] == "environment" and d[-1]["kind"] == "result" and d[-1]["verdict"] == "pass"'
json out '[l["name"] for l in d[1:-1]] == "gemm_fp64 gemm_fp32 copy scale add triad exact_fp64 exact_fp32".split()'
json out 'all(l["verdict"] == "pass" and l["gpu"]["uuid"] is None for l in d[1:-1])'
json out 'all(l["value"] > 0 and l["spread"] >= 0 for l in d if l.get("suite") in ("gemm", "bandwidth"))'
json out 'd[1]["unit"] == "TFLOP/s" and d[1]["params"]["worst_error"] < d[1]["params"]["tolerance"]'
cmp -s out reports/rv-compute.*.jsonl || fail "the report file differs from stdout"

run 0 --device cpu --quick --size 64 --suite gemm --types fp32
has '\[ENV\]' out
has '\[COMPUTE\]' out
has '\[RESULT\]' out
has 'pass: 1 passed, 0 failed, 0 skipped, 0 in error' out

# The memory test reads all that it has many times; asked for beside the others it comes last.
run 0 --device cpu --quick --size 64 --suite gemm --types fp32 --memtest --json
json out '[l["name"] for l in d[1:-1]] == ["gemm_fp32", "memory_test"]'
json out 'd[2]["verdict"] == "pass" and d[2]["params"]["passes"] == 19 and d[2]["params"]["bytes"] == 1 << 24'
json out 'd[1]["params"]["worst_row"] < d[1]["params"]["tolerance"]'

# Without the memory for its arrays a suite is an error that says so; the others still run.
(
  ulimit -v 130000
  run 3 --device cpu --quick --size 128 --suite gemm,bandwidth --types fp32 --json
) || exit 1
json out '[l["verdict"] for l in d[1:-1]] == ["pass"] + 4 * ["error"] and d[2]["reason"] == "out of memory on the host" and d[2]["params"]["cause"] == "out_of_memory"'

# No GPU is a skip that says why, never a pass.
run 77 --device cuda --json
json out "len(d) == 3 and d[1]['verdict'] == 'skip' and d[1]['reason'] == '$reason' and d[2]['verdict'] == 'skip'"
run 0 --device cuda --allow-skip
has "$reason" out
[ "$build" = cuda ] || has 'was built without CUDA' out

# auto without a GPU measures the CPU, and is a skip all the same.
run 77 --quick --size 64 --suite exact --json
json out "d[1]['reason'] == '$reason' and d[2]['name'] == 'exact_fp64' and d[-1]['verdict'] == 'skip'"

# A type asked for that the device lacks is a skip; wrong words are wrong usage; a report that cannot be is an error.
run 77 --device cpu --quick --size 64 --suite gemm --types fp32,bf16
has 'type_not_supported' out
run 2 --device tpu
run 2 --types int7
run 2 --size 3
run 0 --help
has 'Exit codes:' out
run 3 --device cpu --quick --report-dir /dev/null/reports
has 'rv-compute: ' err
echo passed
