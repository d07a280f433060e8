#!/usr/bin/env bash
# A resumed training of rv-envs ends with the same bits as an uninterrupted one, whether it stopped after N iterations or by a
# warning.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

few=(--device cpu --task flat --num-envs 4)

exits 0 worker "${few[@]}" --iterations 2 --json
whole=$(checksum)
exits 0 worker "${few[@]}" --iterations 1 --checkpoint saved
exits 0 worker "${few[@]}" --iterations 2 --checkpoint saved --json
equal "bits of the resumed training" "$whole" "$(checksum)"
all_say report 'd[1]["params"]["resumed_at"] == 1' out
exits 0 worker "${few[@]}" --iterations 2 --checkpoint saved --json
equal "bits where all was done" "$whole" "$(checksum)"
RV_CHECKPOINT_DIR=warned beside "$RV" "${few[@]}" --iterations 100000
wait_for 20 grep -q "iteration 2/" other.out || fail "it does not begin: $(<other.err)"
kill -USR1 "$other"
other_exits 85
has_line "the warned one" 'skip, warned \(ended after iteration [0-9]+ of 100000; run the same command to continue\)' "$(<other.out)"
[ -s warned/rv-envs.0.checkpoint ] || fail "nothing was saved"
exits 3 worker "${few[@]}" --iterations 2 --checkpoint saved --seed 5
has_line stderr '^rv-envs: error: saved: the checkpoint belongs to another training$' "$err"
has_line stderr '^hint: use the options that it was started with, or another folder$' "$err"
rm -r saved
exits 0 worker "${few[@]}" --iterations 1 --local-ranks 2 --checkpoint saved
exits 0 worker "${few[@]}" --iterations 2 --local-ranks 2 --checkpoint saved --json
all_say report 'd[1]["params"]["resumed_at"] == 1 and d[1]["verdict"] == "pass"' out

# Behind a checkpoint all may be commanded one speed.
exits 0 worker "${few[@]}" --iterations 3 --local-ranks 2 --checkpoint saved --speed 1 --results commanded.json
says "all have one commanded speed" 'd["speed"] == 1 and d["resumed_at"] == 2' commanded.json
