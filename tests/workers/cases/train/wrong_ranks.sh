#!/usr/bin/env bash
# rv-train names the rank whose weights differ, that dies, or that takes longer than the ranks that wait for it.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

# A rank that takes longer is named by what it takes without the others, which wait for it: that is their communication.
exits 1 worker --device cpu --local-ranks 3 --model transformer --batch-size 1 --sequence 3 --inject slow@1:500 --results results.json
has_line stdout 'work per step: fail, rank 1 \(host .*\) took [0-9e+.]+ ms for the same work' "$out"
says "who waits for whom" '[s["communication"] > 0.5 for s in d["shares_by_rank"]] == [True, False, True]' results.json
exits 1 worker --device cpu --local-ranks 2 --model transformer --inject corrupt@1:0
has_line stdout 'weights: fail, the weights of rank 1 \(host .*\) differ' "$out"
exits 3 worker --device cpu --local-ranks 2 --model transformer --active-iterations 1000 --inject die@1:9 --silence 2
has_line stdout 'rank 1 .* was killed by signal 9' "$out"
