#!/usr/bin/env bash
# The controller hangs while a race is submitted and while a command runs: nothing is lost, nothing runs twice.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

controller=$(cat "$(scontrol show config | sed -n 's/^SlurmctldPidFile *= //p')")
resume() { kill -CONT "$controller" 2>/dev/null || true; }
put_back() { resume; }

# A command that runs does not notice, and its end is seen without the controller.
code=0
"$RV" run -f --time 5m bash -c 'echo x >> ran; sleep 6; echo done' >out 2>err &
client=$!
wait_for 30 has_lines ran 1 || fail "does not start"
kill -STOP "$controller"
wait "$client" || code=$?
resume
equal "exit code" 0 "$code"
equal output "done" "$(<out)"
equal executions 1 "$(lines_in ran)"
wait_for 30 no_jobs || fail "a job is left"

# It hangs during submission: sbatch gets no reply, but the job may have been accepted.
rm ran
rv plan -t a40 >/dev/null # the limits are known, the plan needs the controller only
"$RV" run -t a40 -f --time 5m bash -c 'echo x >> ran' >out 2>err &
client=$!
run_folder() { compgen -G "$RV_HOME/runs/*/events.jsonl" | xargs grep -l '"event":"intent"' | wc -l; }
second_intent() { [ "$(run_folder)" -ge 2 ]; }
wait_for 30 second_intent || fail "no second run"
kill -STOP "$controller"
sleep 15 # the client polls and submits meanwhile, without an answer
resume
code=0
wait "$client" || code=$?
equal "exit code" 0 "$code"
equal executions 1 "$(lines_in ran)"

# rv ps reports that Slurm does not answer and shows the state from the run folders.
rv run --time 5m --name waits sleep 100 >/dev/null 2>&1
kill -STOP "$controller"
exits 0 rv ps
contains "rv ps" waits "$out"
contains "trouble" "does not answer" "$err"
resume
exits 0 rv stop waits
