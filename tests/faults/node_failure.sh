#!/usr/bin/env bash
# The node's daemon dies before the job gets there or while the command runs, or the whole node dies. The command runs at most
# once, and rv reports how the run ended.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

# Before the job gets there: Slurm gives the nodes, and nothing answers on them. It takes them for down after eight seconds, so the jobs
# are in the queue before, held.
in_background rv run -g 2 --single-node --time 5m --sbatch hold --name early -f bash -c 'echo ran >>runs; exit 6'
client=$!
wait_for 30 all_submitted early || fail "not submitted: $(squeue)"
for n in 1 2 3 4; do fault kill "slurmd.fnode-$n"; done
squeue -h --me -o %i | xargs -n 1 scontrol release
nodes_given() { [ -n "$(squeue -h --me -t RUNNING,CONFIGURING,COMPLETING -o %i)" ]; }
wait_for 20 nodes_given || fail "Slurm gives no nodes: $(squeue)"
sleep 2 # a command that started all the same would write its line by then
equal "executions" 0 "$(lines_in runs)"
for n in 1 2 3 4; do fault start "slurmd.fnode-$n"; done
code=0
wait "$client" || code=$?
[ "$(lines_in runs)" -le 1 ] || fail "ran $(lines_in runs) times"
if [ "$(lines_in runs)" = 1 ]; then equal "exit code" 6 "$code"; else equal "exit code of what never ran" 123 "$code"; fi
scontrol update nodename=ALL state=resume >/dev/null 2>&1 || true
wait_for 60 all_nodes_idle || fail "nodes: $(sinfo -N)"

# After the claim, slurmd alone: the job continues, and its end is reported when slurmd is back.
rm -f runs
rv run -g 2 --single-node --time 5m --name daemon bash -c 'echo ran >>runs; sleep 4; exit 5' >/dev/null 2>&1
wait_for 20 has_lines runs 1 || fail "does not start"
node=$(field daemon "['nodes']")
fault kill "slurmd.$node"
wait_for 20 over daemon || fail "not over: $(rv show daemon)"
equal "exit code" 5 "$(field daemon "['exit_code']")"
fault start "slurmd.$node"
wait_for 60 all_nodes_idle || fail "nodes: $(sinfo -N)"

# After the claim, the whole node.
rm -f runs
in_background rv run -g 2 --single-node --time 5m --name node -f bash -c 'echo ran >>runs; sleep 300'
client=$!
wait_for 20 has_lines runs 1 || fail "does not start"
node=$(field node "['nodes']")
fault power-off "slurmd.$node"
code=0
wait "$client" || code=$?
equal "exit code" 123 "$code"
equal "state" node-failure "$(field node "['state']")"
contains "what the user sees" "lost its node" "$(<"$work/err")"
equal "executions" 1 "$(lines_in runs)"
accounted_end() { SLURM_TIME_FORMAT=%s sacct -X -n -P -j "$1" -o End; }
equal "its end" "$(accounted_end "$(job_of node)")" "$(field node "['ended']")"
