#!/usr/bin/env bash
# slurmctld is restored from a state before the race while accounting was down, so Slurm knows none of the race's jobs. A
# waiting run is submitted again and runs once, followed by its follower. Nothing is concluded about a run of another cluster.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

# A recent job would still be listed if it had ended: a controller that does not list it has lost it.
put_back() { keep_ended_jobs 10; }
keep_ended_jobs 300
state=$(scontrol show config | sed -n 's/^StateSaveLocation *= //p')
sbatch --parsable -J busy -p urgent -N 4 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap "until [ -e $PWD/go ]; do sleep 0.2; done" >/dev/null
saved() { grep -aq busy "$state/job_state"; }
wait_for 30 saved || fail "the controller does not write down the job that keeps the nodes busy"
# A file that the controller is about to rename can go away under the copy.
copied() { rm -rf "$work/state" && cp -r "$state" "$work/state" 2>/dev/null; }
wait_for 10 copied || fail "can't copy the controller's state"
fault kill slurmdbd

in_background rv run -g 2 --time 5m --name waiting -f bash -c 'echo ran >>runs; echo hello; exit 7'
client=$!
wait_for 10 state_is waiting queued || fail "not queued: $(rv show waiting)"
rv run -g 2 --time 5m --name behind --after waiting:any 'cat runs >>runs3' >"$work/out3" 2>&1 || fail "$(<"$work/out3")"
rv run -g 2 --time 5m --name elsewhere bash -c 'echo ran >>runs2' >"$work/out2" 2>&1 || fail "$(<"$work/out2")"
wait_for 10 state_is elsewhere queued || fail "not queued: $(rv show elsewhere)"
# A race is submitted one candidate after the other: an sbatch still on its way would reach the controller that comes back.
for run in waiting behind elsewhere; do
  wait_for 20 all_submitted "$run" || fail "not all candidates have a job: $(rv show "$run")"
done
id=$(rv show elsewhere --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["id"])')
sed -i 's/"cluster": "[^"]*"/"cluster": "elsewhere"/' "$RV_HOME/runs/$id/run.json"
grep -q '"cluster": "elsewhere"' "$RV_HOME/runs/$id/run.json" || fail "the run does not say where it was submitted"

fault kill slurmctld
rm -r "$state"
cp -r "$work/state" "$state"
fault start slurmdbd
wait_for 30 accounting_answers || fail "accounting does not come back"
fault start slurmctld
touch go
client_ended "$client" 7 hello
contains "what the user sees" "the controller restarted without its jobs" "$(<"$work/err")"
wait_for 90 over behind || fail "what follows it is not over: $(rv show behind)"
equal "what follows it: state, and what it saw" "done ran" "$(field behind "['state']") $(paste -sd' ' runs3)"
over elsewhere && fail "another cluster's run was given up: $(rv show elsewhere)"
[ ! -e runs2 ] || fail "another cluster's run was started here"
