#!/usr/bin/env bash
# rv sweep over the batch sizes of rv-train on the host's processor: a batch that does not fit is reported as out of memory.
# shellcheck source=tests/sweep/lib.sh
source "$(dirname "$0")/lib.sh"
worker=$(dirname "$RV")/../workers/rv-train

exits 0 sweep --over batch=1,16000000 --report-dir r -- "$worker" --device cpu --local-ranks 1 --model transformer --batch-size '{batch}'
says ends '[p["end"]["kind"] for p in d["points"]] == ["done", "host-out-of-memory"]' r/results.json
says "why" '"out_of_host_memory: a step of --batch-size 16000000 needs" in d["points"][1]["end"]["evidence"]' r/results.json
contains "the largest" "batch 1 (batch 1 ran; batch 16,000,000 did not: exit code 4" "$out"
