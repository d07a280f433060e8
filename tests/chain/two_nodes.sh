#!/usr/bin/env bash
# A chain on two nodes with two processes, each warned on its own node, survives a crash and a killed client, and ends when its
# time is used up.
# shellcheck source=tests/chain/lib.sh
source "$(dirname "$0")/lib.sh"

echo 25 >crash
rv run --checkpoint --time 3h --segment-time 1h --warn 8m -g 4 -t a40 --nodes 2 --name wide -f "$here/app.sh" 100 >out 2>err &
client=$!
wait_real 60 has_lines steps.1 3 || fail "does not start: $(rv show wide)"
kill -KILL "$client"
wait_real 300 over wide || fail "not over: $(rv show wide)"
equal "state" "done" "$(field wide "['state']")"
one_after_the_other wide || fail "segments at once: $(rv show wide)"
# The process that crashes on purpose saves before. Its neighbour is ended at once, and repeats what it had not saved.
each_step_once steps.0 100 || fail "rank 0: $(cut -d' ' -f1 steps.0 | tr '\n' ' ')"
all_steps steps.1 100 || fail "rank 1: $(cut -d' ' -f1 steps.1 | tr '\n' ' ')"
contains "reasons" crashed "$(reasons wide)"
contains "reasons" time_limit "$(reasons wide)"
contains "output" "rank 1 has done 100 steps" "$(rv logs wide)"
