#!/usr/bin/env bash
# A node stalls until Slurm gives it up and rv records the run as lost with the node. When the node continues and the command
# ends, the command's own record replaces that conclusion.
# shellcheck source=tests/faults/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

in_background rv run -g 2 --single-node --time 5m --name late -f \
  bash -c 'echo $$ $PPID >>runs; until [ -e go-on ]; do sleep 0.1; done'
client=$!
wait_for 30 has_lines runs 1 || fail "does not start: $(rv show late)"
read -r command waiter <runs
node=$(field late "['nodes']")
fault freeze "slurmd.$node"
give_up "$node"
code=0
wait "$client" || code=$?
equal "exit code of the client" 123 "$code"
equal "state by then" "True node-failure" "$(field late "['over']") $(field late "['state']")"
touch go-on
# All processes of the job except the daemons above it, which would receive its end from Slurm.
for script in $(ps -o ppid= -p "$waiter") "$waiter" "$command" $(pgrep -P "$command" || true); do
  kill -CONT "$script" 2>/dev/null || true # its sleep may be gone by then
done
has_end() { [ -n "$(entries exit late)" ]; }
wait_for 20 has_end || fail "no record of the end: $(ls "$(field late "['run_folder']")/ledger")"
fault thaw "slurmd.$node"
equal "state" "True done" "$(field late "['over']") $(field late "['state']")"
equal "exit code" 0 "$(field late "['exit_code']")"
equal "executions" 1 "$(lines_in runs)"
