#!/usr/bin/env bash
# rv-envs and rv-train in a chain that is interrupted twice end with the same weights as without interruption.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"
workers=$(realpath "$(dirname "$RV")/../workers")

segments() { field "$1" "['chain']['segments'].__len__()" 2>/dev/null || echo 0; }
in_segment() { [ "$(segments "$1")" -ge "$2" ] && one_runs; }
saved_again() { [ -n "$(find "$1" -name 'rv-*.checkpoint' -newer mark)" ]; }

# cut_off NAME COMMAND…: the command by itself, and as a chain that is warned in its first two segments, each time once it has
# done something there.
cut_off() {
  local name=$1 whole segment folder
  shift
  exits 0 "$@" --json --checkpoint "$work/whole.$name"
  whole=$(grep -o '"checksum":"[0-9a-f]*"' <<<"$out") || fail "$name says no checksum"
  exits 0 rv run -g 1 --checkpoint --time 20m --segment-time 10m --name "$name" -- "$@" --json
  folder=$(field "$name" "['run_folder']")
  for segment in 1 2; do
    wait_for 60 in_segment "$name" "$segment" || fail "$name has no segment $segment: $(rv logs "$name")"
    touch mark
    wait_for 60 saved_again "$folder" || fail "$name does not go on: $(rv logs "$name")"
    scancel --batch --signal=USR1 "$(squeue -h --me -t RUNNING -o %A)"
  done
  exits 0 rv wait "$name"
  equal "segments of $name" 3 "$(segments "$name")"
  # Where segments ran on several nodes the last one's words need not be the last: no other can have these weights.
  contains "weights of $name" "$whole" "$(rv logs "$name" | grep -o '"checksum":"[0-9a-f]*"')"
  matches "$name began where it had been cut off" '"resumed_at":[1-9]' "$(rv logs "$name" | grep -o '"resumed_at":[0-9]*')"
  cmp "$work/whole.$name"/*.checkpoint "$folder"/checkpoint/*.checkpoint || fail "the last checkpoints of $name differ"
}

cut_off train "$workers/rv-train" --device cpu --local-ranks 1 --model transformer --batch-size 2 --steps 1000 --save-every 1
cut_off envs "$workers/rv-envs" --device cpu --task flat --num-envs 8 --iterations 25 --save-every 1
