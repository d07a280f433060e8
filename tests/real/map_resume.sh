#!/usr/bin/env bash
# rv map: a run that is stopped, cancelled, killed or requeued in the middle. What has ended is not run again, and the rest runs once.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the task is in single quotes
source "$(dirname "$0")/lib.sh"

results() { rv map --results "$1" --json | python3 -c "import json,sys; d=json.load(sys.stdin); print($2)"; }
run_of() { field "$1" "['id']"; }
state_of() { field "$1" "['state']"; }

# Starts 200 tasks of which two have begun and wait for the file `go`, so that no signal comes between a task's last line and its end.
begins_and_waits() {
  rm -f ended begun go
  rv map -g 2 --time 5m "$@" -a list -- \
    bash -c 'echo $0 >>begun; [ "$0" -le 6 ] || until [ -e go ]; do sleep 0.1; done; echo $0 >>ended' {} >/dev/null 2>&1
  wait_for 60 has_lines begun 8 || fail "fewer than eight tasks began: $(cat begun)"
}

# Cut short: what has ended does not run again, and the rest runs once.
seq 200 >list
begins_and_waits --name cut
exits 2 rv map --resume cut
rv stop cut >/dev/null
exits 123 rv wait cut
lacks "interrupted tasks" "200 of 200" "$(rv show cut)"
equal "every ended task is on record" "$(lines_in ended)" "$(results cut "d['counts']['ok']")"
cut=$(run_of cut)
touch go
exits 0 rv map --resume cut -f
equal "all tasks ended, each once" "$(sort list)" "$(sort ended)"
exits 2 rv map --resume "$cut"
# The name is that of both, and means the later one.
exits 2 rv map --resume cut
contains "nothing is left of it" "run $(run_of cut) has no task left" "$err"
equal "results of both runs" 200 "$(results "$(run_of cut)" "d['counts']['ok']")"
# Also when the run that resumed it has been removed.
rm -r "$RV_HOME/runs/$(run_of cut)"
exits 2 rv map --resume "$cut"
contains "why" "which has been removed" "$err"

# The two tasks that had begun are reported, and run once more.
resumes() {
  wait_for 60 no_jobs || fail "the job goes on"
  contains "interrupted" "2 interrupted" "$(rv show "$1")"
  touch go
  exits 0 rv map --resume "$1" -f
  equal "all tasks ended, each once" "$(sort list)" "$(sort ended)"
}

# A job that somebody cancels: its dispatcher records what it cut.
begins_and_waits --name killed
scancel "$(field killed "['candidates'][0]['job_id']")"
resumes killed

# Its dispatcher gets no chance to write anything: the kernel ends its tasks, and no record says so.
begins_and_waits --name lost
pkill -KILL -f -- "--map-tasks $RV_HOME/runs/$(run_of lost)"
resumes lost

# With --requeue the job itself goes on with what has not ended.
begins_and_waits --name requeued --requeue
job=$(squeue -h --me -o %A)
scontrol requeue "$job"
# Slurm holds a requeued job back for two minutes. It must not start in the second in which it was killed (requeue.sh).
sleep 2
touch go
pending() { [ "$(squeue -h -j "$job" -o %T)" = PENDING ] && scontrol update jobid="$job" starttime=now; }
wait_for 30 pending || fail "not requeued: $(squeue)"
wait_for 60 eval '[ "$(state_of requeued)" = done ]' || fail "requeued: $(rv show requeued)"
equal "all tasks ended, each once" "$(sort list)" "$(sort ended)"
