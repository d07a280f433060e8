#!/usr/bin/env bash
# The toy model learns and its ranks agree; a single different bit of one rank is found, and a rank that dies or is slow is
# named.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 0 worker --device cpu --local-ranks 1 --json
all_say report '[l["name"] for l in d[1:-1]] == ["train", "weights"]' out
all_say report 'd[1]["value"] < 0.7 and d[1]["params"]["last_epoch_loss"] < 0.7 * d[1]["params"]["first_epoch_loss"]' out
exits 0 worker --device cpu --local-ranks 3 --quick
has_line stdout '\[DDP\]' "$out"
has_line stdout 'ddp_train +0\.[0-9]+ +pass' "$out"
exits 1 worker --device cpu --local-ranks 3 --quick --inject corrupt@1:1000
has_line stdout 'weights: fail, the weights of rank 1 \(host .*\) differ' "$out"
exits 3 worker --device cpu --local-ranks 3 --quick --silence 2 --inject die@2:9
has_line stdout 'rank 2 .* was killed by signal 9 .* while at: training step' "$out"
exits 1 worker --device cpu --local-ranks 3 --epochs 1 --batch 1000 --inject slow@1:300
has_line stdout 'rank 1 .* took .* ms for the same work' "$out"
