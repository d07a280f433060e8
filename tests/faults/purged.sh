#!/usr/bin/env bash
# A job that Slurm has forgotten before the first poll: the run folder and accounting show how it ended.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

rv run -g 1 --time 5m --name ended bash -c 'exit 4' >/dev/null 2>&1
rv run -g 1 --time 5m --name killed bash -c 'echo x >ran; sleep 300' >/dev/null 2>&1
wait_for 30 has_lines ran 1 || fail "does not start"
killed=$(job_of killed)
# From here on there is no poll until Slurm has forgotten both.
scancel "$killed"
forgotten() { ! scontrol show job "$killed" >/dev/null 2>&1; }
wait_for 90 forgotten || fail "Slurm does not forget job $killed"
equal "state" failed "$(field ended "['state']")"
equal "exit code" 4 "$(field ended "['exit_code']")"
wait_for 20 over killed || fail "not over: $(rv show killed)"
equal "state" stopped "$(field killed "['state']")"
