#!/usr/bin/env bash
# rv map: a run that is stopped, killed or requeued in the middle. What has ended is not run again, and the rest runs once.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the task is in single quotes
source "$(dirname "$0")/lib.sh"

results() { rv map --results "$1" --json | python3 -c "import json,sys; d=json.load(sys.stdin); print($2)"; }
run_of() { field "$1" "['id']"; }
state_of() { field "$1" "['state']"; }

# Cut short: what has ended does not run again, and the rest runs once.
seq 200 >list
rv map -g 2 --time 5m --name cut -a list -- bash -c 'echo $0 >>begun; sleep 0.3; echo $0 >>ended' {} >/dev/null 2>&1
wait_for 60 has_lines ended 6 || fail "no task ended"
exits 2 rv map --resume cut
rv stop cut >/dev/null
exits 123 rv wait cut
lacks "interrupted tasks" "200 of 200" "$(rv show cut)"
equal "every ended task is on record" "$(lines_in ended)" "$(results cut "d['counts']['ok']")"
sort ended >before
cut=$(run_of cut)
exits 0 rv map --resume cut -f
[ "$(sort ended | uniq -d | wc -l)" -eq 0 ] || fail "ran twice: $(sort ended | uniq -d)"
equal "all tasks ended" "$(sort list)" "$(sort ended)"
exits 2 rv map --resume "$cut"
# The name is that of both, and means the later one.
exits 2 rv map --resume cut
contains "nothing is left of it" "run $(run_of cut) has no task left" "$err"
equal "results of both runs" 200 "$(results "$(run_of cut)" "d['counts']['ok']")"
# Also when the run that resumed it has been removed.
rm -r "$RV_HOME/runs/$(run_of cut)"
exits 2 rv map --resume "$cut"
contains "why" "which has been removed" "$err"

# A node whose processes are all killed: rv reports what may have begun, and --resume runs it.
rm ended begun
rv map -g 2 --time 5m --name killed -a list -- bash -c 'echo $0 >>begun; sleep 0.3; echo $0 >>ended' {} >/dev/null 2>&1
wait_for 60 has_lines ended 6 || fail "no task ended"
scancel --signal=KILL --full "$(field killed "['candidates'][0]['job_id']")"
wait_for 60 no_jobs || fail "the job goes on"
contains "interrupted" "interrupted" "$(rv show killed)"
exits 0 rv map --resume killed -f
equal "all tasks ended" "$(sort list)" "$(sort -u ended)"
[ "$(sort ended | uniq -d | wc -l)" -eq 0 ] || fail "ran twice: $(sort ended | uniq -d)"

# With --requeue the job itself goes on with what has not ended.
rm ended begun
rv map -g 2 --requeue --time 5m --name requeued -a list -- bash -c 'echo $0 >>begun; sleep 0.1; echo $0 >>ended' {} >/dev/null 2>&1
wait_for 60 has_lines ended 6 || fail "no task ended"
job=$(squeue -h --me -o %A)
scontrol requeue "$job"
# Slurm holds a requeued job back for two minutes. It must not start in the second in which it was killed (requeue.sh).
sleep 2
pending() { [ "$(squeue -h -j "$job" -o %T)" = PENDING ] && scontrol update jobid="$job" starttime=now; }
wait_for 30 pending || fail "not requeued: $(squeue)"
wait_for 60 eval '[ "$(state_of requeued)" = done ]' || fail "requeued: $(rv show requeued)"
equal "all tasks ended" "$(sort list)" "$(sort -u ended)"
[ "$(sort ended | uniq -d | wc -l)" -eq 0 ] || fail "ran twice: $(sort ended | uniq -d)"
