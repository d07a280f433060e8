#!/usr/bin/env bash
# A requeue starts the command again only where --requeue allowed it; the run then ends with the last start's exit code.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

job_of() { field "$1" "['candidates'][0]['job_id']"; }

# Not permitted: Slurm refuses, and the command continues.
rv run --time 5m --name once bash -c 'echo x >> ran; sleep 4' >/dev/null 2>&1
wait_for 30 has_lines ran 1 || fail "does not start"
! scontrol requeue "$(job_of once)" 2>/dev/null || fail "Slurm requeued a job that asked not to be"
over() { [ "$(field "$1" "['over']")" = True ]; }
wait_for 20 over once || fail "not over"
equal "executions" 1 "$(lines_in ran)"
equal "state" "done" "$(field once "['state']")"

# Allowed: the same job starts again, is still the winner, and its second end counts.
rm ran
rv run --requeue --time 5m --name twice bash -c 'echo x >> ran; if [ "$(wc -l <ran)" = 1 ]; then sleep 300; fi; exit 3' >/dev/null 2>&1
wait_for 30 has_lines ran 1 || fail "does not start"
job=$(job_of twice)
scontrol requeue "$job"
# Slurm holds a requeued job back for two minutes; that is not what this test is about. It must not start in the second
# in which it was killed, though: its node then takes the new start for the old one and refuses it.
sleep 2
pending() { [ "$(squeue -h -j "$job" -o %T)" = PENDING ] && scontrol update jobid="$job" starttime=now; }
wait_for 30 pending || fail "not requeued: $(squeue)"
wait_for 60 has_lines ran 2 || fail "does not start again: $(squeue)"
wait_for 20 over twice || fail "not over: $(rv show twice)"
equal "executions" 2 "$(lines_in ran)"
equal "state" failed "$(field twice "['state']")"
equal "exit code" 3 "$(field twice "['exit_code']")"
