#!/usr/bin/env bash
# A node is lost during a chain: the next segment runs on other nodes.
# shellcheck source=tests/chain/lib.sh
source "$(dirname "$0")/lib.sh"

begin --checkpoint --time 3h --segment-time 1h --warn 8m -g 1 -t v100 --single-node --name lost "$here/app.sh" 60
wait_real 60 has_lines steps.0 23 || fail "does not start: $(rv show lost)"
node=$(field lost "['chain']['segments'][0]['nodes']")
"$root/examples/sandbox/sandbox" daemon power-off "slurmd.$node" --dir "$RV_SANDBOX_DIR"
scontrol update nodename="$node" state=down reason=lost
# Whoever looks at the run takes care of it, if Slurm does not.
wait_real 300 over lost || fail "not over: $(rv show lost); $(squeue)"
"$root/examples/sandbox/sandbox" daemon start "slurmd.$node" --dir "$RV_SANDBOX_DIR"
equal "state" "done" "$(field lost "['state']")"
all_steps steps.0 60 || fail "steps: $(cut -d' ' -f1 steps.0 | tr '\n' ' ')"
one_after_the_other lost || fail "segments at once: $(rv show lost)"
contains "reasons" lost "$(reasons lost)"
second=$(field lost "['chain']['segments'][1]['nodes']")
[ "$second" != "$node" ] || fail "the next segment ran on the lost node $node"
# What was saved before is not done again: at most twenty steps are.
[ "$(lines_in steps.0)" -le 80 ] || fail "$(lines_in steps.0) steps"
