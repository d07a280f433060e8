#!/usr/bin/env bash
# The same seed gives the same bits and another seed other bits. Two ranks agree to the last bit; a rank that differs or dies is
# named.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

few=(--device cpu --task flat --num-envs 4)

exits 0 worker "${few[@]}" --iterations 2 --json
whole=$(checksum)
has_line stderr 'Computation:' "$err"
exits 0 worker "${few[@]}" --iterations 2 --json
equal "bits of the same seed" "$whole" "$(checksum)"
exits 0 worker "${few[@]}" --iterations 2 --seed 2 --json
another=$(checksum)
[ "$another" != "$whole" ] || fail "another seed gives the same bits"
exits 0 worker "${few[@]}" --iterations 2 --local-ranks 2 --json
all_say report 'd[1]["params"]["ranks"] == 2 and d[1]["verdict"] == "pass"' out
has_line stderr 'Total timesteps: 384' "$err"
exits 1 worker "${few[@]}" --iterations 1 --local-ranks 2 --inject corrupt@1
has_line stdout "ppo .* fail: the ranks' weights differ" "$out"
exits 3 worker "${few[@]}" --iterations 50 --local-ranks 2 --inject die@1:2 --silence 2
has_line stdout 'rank 1 .* was killed by signal 9' "$out"
