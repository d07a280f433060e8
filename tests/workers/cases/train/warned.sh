#!/usr/bin/env bash
# After a warning all ranks save after the same step, and the resumed run has the bits of an uninterrupted one.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 0 worker --device cpu --local-ranks 2 --quick --checkpoint-dir whole --json
whole=$(checksum)
equal steps 32 "$(wc -l <whole/steps.log)"
RV_CHECKPOINT_DIR=parts beside "$RV" --device cpu --local-ranks 2 --quick --step-seconds 0.2
wait_for 20 grep -qs "step 3" parts/steps.log || fail "it does not begin: $(<other.err)"
kill -USR1 "$other"
other_exits 85
has_line "the warned one" 'skip, warned \(saved after step [0-9]+ of 32' "$(<other.out)"
[ "$(wc -l <parts/steps.log)" -lt 32 ] || fail "the warning came too late to show anything"
RV_CHECKPOINT_DIR=parts exits 0 worker --device cpu --local-ranks 2 --quick --json
equal "bits of the resumed training" "$whole" "$(checksum)"
equal "each step once" "$(seq -f 'step %.0f' 32)" "$(<parts/steps.log)"
