#!/usr/bin/env bash
# Cloud nodes are planned but not as free at once: a run on one waits while it boots, and succeeds.
# shellcheck disable=SC2016 # the jobs' own variables
# shellcheck source=tests/sites/lib.sh
source "$(dirname "$0")/lib.sh"

off() { ! sinfo -h -p cloud -N -o %t | grep -qvx 'idle~'; }
wait_for 60 off || fail "the nodes are on: $(sinfo -p cloud)"
exits 0 rv cluster
equal "b200" "2 4 4 0 0" "$(row b200 | cut -d' ' -f1-5)"
matches "wait" '^6[0-9] replay of' "$(rv plan -g 1 -t b200 --time 10m --json | wait_of)"
contains "first" "A40" "$(rv plan -g 1 -t b200,a40 --time 10m | sed -n 2p)"

in_background rv run -f -g 1 -t b200 --time 10m --name boots 'echo "$SLURM_JOB_NODELIST"'
run=$!
prepared() { grep -q "nodes are being prepared: sky-" "$work/err"; }
wait_for 40 prepared || fail "rv does not report that the node boots"
wait "$run" || fail "exit code $?"
matches "node" '^sky-[12]$' "$(<"$work/out")"
