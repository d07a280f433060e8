#!/usr/bin/env bash
# A candidate has a second job, as after a lost reply of sbatch: the run is not over while that job may start, the duplicate
# does not hide the running job, and after the end of the run no job of it starts.
# shellcheck source=tests/faults/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

# duplicate NAME OPTION…: one more job of the run's candidate.
duplicate() {
  local folder
  folder=$(field "$1" "['run_folder']")
  sbatch --parsable "${@:2}" "$folder/candidates/1/script.sh"
}
ended() { [ -z "$(squeue -h -j "$1" -t PENDING,RUNNING,CONFIGURING,COMPLETING 2>/dev/null)" ]; }

# The first is cancelled in the queue, the second is held there.
busy=$(sbatch --parsable -J busy -p urgent -N 4 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap 'sleep 300')
rv run -g 2 --partition gpu --time 5m --name twofold 'echo x >>runs' >/dev/null 2>&1
rv run -g 2 --partition gpu --time 5m --name single 'echo x >>runs-single' >/dev/null 2>&1
wait_for 10 state_is single queued || fail "not queued: $(rv show single)"
# Asked now: once the second is found in the queue, it is the run's job, too.
first=$(job_of twofold)
second=$(duplicate twofold --hold)
scancel "$first" "$(job_of single)"
# On a file system of this machine an end without a record is believed after five seconds.
wait_for 30 over single || fail "not over: $(rv show single)"
equal "state of the one without a second job" stopped "$(field single "['state']")"
for _ in 1 2 3; do
  over twofold && fail "over with a job of its own in the queue: $(rv show twofold)"
  sleep 3 # three polls, a poll's interval apart
done
late=$(duplicate single)
scancel "$busy"
scontrol release "$second"
wait_for 30 over twofold || fail "not over: $(rv show twofold)"
equal "twofold: state and executions" "done 1" "$(field twofold "['state']") $(lines_in runs)"
# What was written down as over does not begin any more.
wait_for 30 ended "$late" || fail "the late job does not end: $(squeue)"
equal "executions after the end" 0 "$(lines_in runs-single)"
equal "state after that" stopped "$(field single "['state']")"

# One that is done and requeued all the same.
rv run -f -g 2 --requeue --partition gpu --time 5m --name again 'echo x >>runs-again' >/dev/null 2>&1
job=$(job_of again)
scontrol requeue "$job" || fail "Slurm does not requeue it"
# In the second in which it ended its node would take the new start for the old one.
sleep 2
started_again() {
  # It would be held back for two minutes.
  [ "$(squeue -h -j "$job" -o %r 2>/dev/null)" != BeginTime ] || scontrol update jobid="$job" starttime=now
  [[ "$(scontrol -o show job "$job")" == *JobState=COMPLETED*Restarts=1* ]]
}
wait_for 60 started_again || fail "it does not start again: $(scontrol show job "$job")"
equal "again: executions" 1 "$(lines_in runs-again)"
equal "again: state" "done" "$(field again "['state']")"

# The winner runs, the second steps back, and the winner's end at its time limit is seen.
rv run -g 2 --partition gpu --time 5m --name hidden 'trap "" TERM; echo x >>runs-hidden; while :; do sleep 1; done' >/dev/null 2>&1
wait_for 30 has_lines runs-hidden 1 || fail "does not start: $(rv show hidden)"
winner=$(job_of hidden)
second=$(duplicate hidden)
wait_for 30 ended "$second" || fail "the second does not end: $(squeue)"
state_is hidden running || fail "the second hides the first: $(rv show hidden)"
equal "the run's job" "$winner" "$(job_of hidden)"
scontrol update jobid="$winner" EndTime="$(date -d '+2 seconds' +%FT%T)"
wait_for 60 over hidden || fail "not over: $(rv show hidden)"
equal "hidden: state and executions" "timeout 1" "$(field hidden "['state']") $(lines_in runs-hidden)"
