#!/usr/bin/env bash
# slurmctld is killed and comes back: while a race waits, and while the command runs. The command runs once, and a client
# that follows gets its output and exit code.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

# It waits in the queue.
sbatch --parsable -J busy -p urgent -N 4 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap "until [ -e $PWD/go ]; do sleep 0.2; done" >/dev/null
in_background rv run -g 2 --time 5m --name waiting -f bash -c 'echo ran >>runs; echo hello; exit 7'
client=$!
wait_for 10 state_is waiting queued || fail "not queued: $(rv show waiting)"
sleep 10 # the controller writes its state every five seconds, later on a busy machine; what it forgets with a kill is another test
fault kill slurmctld
sleep 3 # the client polls while the controller is down
kill -0 "$client" || fail "the client gave up while the controller was away: $(<"$work/err")"
fault start slurmctld
touch go
client_ended "$client" 7 hello

# It runs.
rm runs
in_background rv run -g 2 --time 5m --name running -f bash -c 'echo ran >>runs; sleep 16; echo bye; exit 3'
client=$!
wait_for 60 has_lines runs 1 || fail "does not start"
sleep 10 # as above
fault kill slurmctld
sleep 2 # as above
fault start slurmctld
client_ended "$client" 3 bye

# It runs, and the controller comes back with an older state, in which it does not: Slurm ends it and starts the job
# again. The command is not run a second time, and no success is made of the first.
rm runs
in_background rv run -g 2 --single-node --time 5m --name forgotten -f bash -c 'echo ran >>runs; sleep 15; exit 0'
client=$!
wait_for 60 has_lines runs 1 || fail "does not start"
fault kill slurmctld
sleep 1 # the command runs on meanwhile
fault start slurmctld
code=0
wait "$client" || code=$?
equal "executions" 1 "$(lines_in runs)"
ran_to_its_end() { state_is forgotten "done" && [ "$code" = 0 ]; }
reported() { [ "$code" = 123 ] && [[ "$(<"$work/err")" == *"not run again"* || "$(<"$work/err")" == *"was lost by the controller"* ]]; }
killed() { [ "$code" = 137 ] && state_is forgotten failed; }
ran_to_its_end || reported || killed || fail "exit code $code, $(rv show forgotten), $(<"$work/err")"
