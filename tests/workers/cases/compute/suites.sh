#!/usr/bin/env bash
# rv-compute runs every suite on the CPU, and its report file has the same lines as stdout.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 0 worker --device cpu --quick --size 128 --json --report-dir reports
all_say report '[l["kind"] for l in d][0] == "environment" and d[-1]["kind"] == "result" and d[-1]["verdict"] == "pass"' out
all_say report '[l["name"] for l in d[1:-1]] == "gemm_fp64 gemm_fp32 copy scale add triad exact_fp64 exact_fp32".split()' out
all_say report 'all(l["verdict"] == "pass" and l["gpu"]["uuid"] is None for l in d[1:-1])' out
all_say report 'all(l["value"] > 0 and l["spread"] >= 0 for l in d if l.get("suite") in ("gemm", "bandwidth"))' out
all_say report 'd[1]["unit"] == "TFLOP/s" and d[1]["params"]["worst_error"] < d[1]["params"]["tolerance"]' out
same_report

exits 0 worker --device cpu --quick --size 64 --suite gemm --types fp32
has_line stdout '\[ENV\]' "$out"
has_line stdout '\[COMPUTE\]' "$out"
has_line stdout '\[RESULT\]' "$out"
has_line stdout 'pass: 1 passed, 0 failed, 0 skipped, 0 in error' "$out"
