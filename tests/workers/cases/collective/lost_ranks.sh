#!/usr/bin/env bash
# A rank that does not join, dies, hangs or stalls is named; the other ranks end, and no process is left.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

# Short, so that the faults are found soon.
one=(--device cpu --quick --suite sweep --ops all_reduce -b 1K -e 1K --place out --deadline 4 --silence 3)

exits 3 worker "${one[@]}" --local-ranks 3 --inject never@2
has_line stdout '1 of 3 ranks did not join within 4 s: rank 2 \(host .*\)' "$out"
exits 3 worker "${one[@]}" --local-ranks 3 --inject die@1:5
has_line stdout 'rank 1 \(host .*, process .*\) was killed by signal 9 .* while at: all_reduce fp32 1K' "$out"
exits 3 worker "${one[@]}" --local-ranks 3 --inject die@0:5
has_line stdout 'rank 0 .* was killed by signal 9' "$out"
exits 3 worker "${one[@]}" --local-ranks 3 --inject hang@2:5
has_line stdout 'rank 2 .* has sent no heartbeat for 3 s; it was at: all_reduce' "$out"
exits 3 worker "${one[@]}" --local-ranks 3 --inject stuck@1:5 --json
all_say report 'd[-2]["verdict"] == "error" and "rank 1" in d[-2]["reason"] and "is stuck for 4 s" in d[-2]["reason"]' out
all_say report 'd[-2]["params"]["ranks"] == [1] and d[-1]["verdict"] == "error"' out
