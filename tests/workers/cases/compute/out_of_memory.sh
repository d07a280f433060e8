#!/usr/bin/env bash
# A suite without enough memory for its arrays ends as an error with that reason, and the other suites still run.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 3 worker_within 130000 --device cpu --quick --size 128 --suite gemm,bandwidth --types fp32 --json
all_say report '[l["verdict"] for l in d[1:-1]] == ["pass"] + 4 * ["error"] and d[2]["reason"] == "out of memory on the host" and d[2]["params"]["cause"] == "out_of_memory"' out
