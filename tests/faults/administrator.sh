#!/usr/bin/env bash
# Administrators drain nodes and hold, release, requeue and cancel jobs: rv reports what happened, and each run ends with the
# state and exit code that follow from it.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

# A node is drained under a job: the job ends as it would have.
rv run -g 2 --single-node --time 5m --name drained bash -c 'echo ran >>runs; sleep 4; exit 2' >/dev/null 2>&1
wait_for 20 has_lines runs 1 || fail "does not start"
node=$(field drained "['nodes']")
scontrol update nodename="$node" state=drain reason=test
wait_for 20 over drained || fail "not over: $(rv show drained)"
equal "exit code" 2 "$(field drained "['exit_code']")"
scontrol update nodename="$node" state=resume

# Somebody changes the time limit of a job that runs: what is left follows it, and so does the reason of the end.
rm runs
rv run -g 1 --time 5m --name limited bash -c 'echo ran >>runs; sleep 300' >/dev/null 2>&1
wait_for 20 has_lines runs 1 || fail "does not start"
is_limited_to() { [ "$(field limited "['time_limit_s']")" = "$1" ]; }
wait_for 10 is_limited_to 300 || fail "limit: $(rv show limited)"
scontrol update jobid="$(job_of limited)" timelimit=7
wait_for 10 is_limited_to 420 || fail "the new limit is not known: $(rv show limited)"
started=$(SLURM_TIME_FORMAT=%s squeue -h -j "$(job_of limited)" -o %S)
equal "seconds from start to end" 420 "$(field limited "['ends_by'] - $started")"
rv stop limited >/dev/null

# A hold is reported in plain words, and ends with the release.
busy=$(sbatch --parsable -J busy -p urgent -N 4 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap 'sleep 60')
# The node returns later; until then there would be free GPUs beside the busy job.
is_busy() { [ "$(squeue -h -j "$busy" -o %T)" = RUNNING ]; }
wait_for 30 is_busy || fail "the nodes do not fill up: $(squeue)"
rm runs
rv run -g 2 --partition gpu --time 5m --name held bash -c 'echo ran >>runs' >/dev/null 2>&1
wait_for 10 state_is held queued || fail "not queued: $(rv show held)"
scontrol hold "$(job_of held)"
held_in_words() { [[ "$(rv ps)" == *"held by"* ]]; }
wait_for 10 held_in_words || fail "the hold is not said: $(rv ps)"
scancel "$busy"
sleep 3 # longer than the sandbox's scheduler takes to start a job that is not held
equal "executions while held" 0 "$(lines_in runs)"
scontrol release "$(job_of held)"
wait_for 30 over held || fail "not over: $(rv show held)"
equal "executions" 1 "$(lines_in runs)"
equal "state" "done" "$(field held "['state']")"

# scancel of the job, past rv.
rm runs
in_background rv run -g 1 --time 5m --name gone -f bash -c 'echo ran >>runs; sleep 300'
client=$!
wait_for 20 has_lines runs 1 || fail "does not start"
scancel "$(job_of gone)"
code=0
wait "$client" || code=$?
equal "exit code" 123 "$code"
equal "state" stopped "$(field gone "['state']")"

# The user puts a job that runs back into the queue, held, and releases it: the command is not run a second time, and what
# ended it was that.
rm runs
rv run -g 1 --time 5m --name again bash -c 'echo ran >>runs; sleep 300' >/dev/null 2>&1
wait_for 20 has_lines runs 1 || fail "does not start"
job=$(job_of again)
scontrol update jobid="$job" requeue=1
scontrol requeuehold "$job"
is_held() { [[ "$(squeue -h -j "$job" -o %r)" == *[Hh]eld* ]]; }
wait_for 30 is_held || fail "not held: $(squeue)"
scontrol release "$job"
# Slurm puts a requeued job off for about two minutes; its user does not wait for that.
soon() { scontrol update jobid="$job" starttime=now 2>/dev/null || true; over again; }
wait_for 200 soon || fail "not over: $(rv show again)"
equal "executions" 1 "$(lines_in runs)"
contains "what ended it" "requeued" "$(field again "['detail']")"
