#!/usr/bin/env bash
# The memory test reads all of its memory many times. Together with other suites it runs last.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 0 worker --device cpu --quick --size 64 --suite gemm --types fp32 --memtest --json
all_say report '[l["name"] for l in d[1:-1]] == ["gemm_fp32", "memory_test"]' out
all_say report 'd[2]["verdict"] == "pass" and d[2]["params"]["passes"] == 19 and d[2]["params"]["bytes"] == 1 << 24' out
all_say report 'd[1]["params"]["worst_row"] < d[1]["params"]["tolerance"]' out
