#!/usr/bin/env bash
# rv up --run gets the GPUs, runs the command line, returns its exit code and releases the GPUs.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2016  # expands in the job
exits 0 rv up --gpu 4 --time 30m --run 'echo "gpus $CUDA_VISIBLE_DEVICES"; echo once >> ran'
equal once 1 "$(lines_in ran)"
count=$(tr -cd , <<<"$out" | wc -c)
[ "$count" -ge 1 ] || fail "no several GPUs in: $out"
exits 5 rv up --gpu 1 --time 30m --run 'exit 5'

# Detached it is submitted as rv run submits it.
exits 0 rv up --gpu 1 --time 30m --run 'echo once >> alone' --detach
equal "what to do with it" "rv: submitted as run $out; rv logs -f $out follows it, rv stop $out ends it" "$(tail -n 1 <<<"$err")"
exits 0 rv wait "$out"
equal once 1 "$(lines_in alone)"
wait_for 20 no_jobs || fail "a job is left"
