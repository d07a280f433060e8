#!/usr/bin/env bash
# Ctrl-C before the GPUs are allocated cancels every candidate; after that it leaves the run alone and prints what continues.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

occupy gpu-a6000 2 a6000:8 >/dev/null
occupy gpu-v100 2 v100:4 >/dev/null
code=0
"$RV" run -f -g 4 -t a6000 -t v100 --time 5m bash -c 'echo x >> ran' >out 2>err &
client=$!
queued() { [ "$(squeue -h --me -t PENDING -o %j | grep -c '@')" -ge 2 ]; }
wait_for 30 queued || fail "no candidates are queued: $(squeue)"
kill -INT "$client"
wait "$client" || code=$?
equal "exit code" 130 "$code"
contains message "rv: cancelled" "$(<err)"
! squeue -h --me -t PENDING -o %j | grep -q '@' || fail "candidates are left: $(squeue -h)"
scancel -u "$(id -un)"
wait_for 20 no_jobs
equal executions 0 "$(lines_in ran)"

code=0
"$RV" run -f --time 5m bash -c 'echo started; sleep 30' >out 2>err &
client=$!
wait_for 30 grep -qs started out || fail "does not start"
kill -INT "$client"
wait "$client" || code=$?
equal "exit code" 130 "$code"
contains message "continues" "$(<err)"
# What stepped back from the race is gone as well.
wait_for 10 one_runs || fail "still running: $(squeue)"
