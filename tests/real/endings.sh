#!/usr/bin/env bash
# Runs that end without the command's own exit code are reported with the cause: time limit, scancel, a missing folder.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

# The job is cancelled while the command runs.
code=0
"$RV" run -f --time 5m --name gone sleep 300 >out 2>err &
client=$!
# The others of its race are gone, too: one that is submitted after the scancel would run.
one_running() {
  [ "$(squeue -h --me -t RUNNING,PENDING,CONFIGURING -o %T)" = RUNNING ] &&
    [ "$(field gone "['state']" 2>/dev/null)" = running ]
}
wait_for 20 one_running || fail "does not run alone: $(squeue)"
scancel -u "$(id -un)"
wait "$client" || code=$?
equal "exit code after scancel" 123 "$code"
contains "cause" "cancelled" "$(<err)"
equal "state" stopped "$(field gone "['state']")"

# The working folder is not there on the node: nothing runs, and the reason is shown.
mkdir doomed
cd doomed
busy=$(occupy gpu-a6000 2 a6000:8)
"$RV" run -t a6000 --time 5m --name homeless bash -c 'echo x >> ../ran' >/dev/null 2>&1
cd ..
rmdir doomed
scancel "$busy"
over() { [ "$(field homeless "['over']")" = True ]; }
wait_for 20 over || fail "not over: $(rv show homeless)"
equal state failed "$(field homeless "['state']")"
contains "log" "can't be entered" "$(rv logs homeless 2>&1)"
contains "reason" "failed: the command did not start: the working folder $PWD/doomed can't be entered on udc-an28-" "$(rv show homeless)"
equal executions 0 "$(lines_in ran)"

# The time limit: Slurm enforces whole minutes, so this takes one.
exits 123 rv run -f --time 1m --name slow bash -c 'trap "" TERM; echo begun; while :; do sleep 1; done'
contains output begun "$out"
contains cause "time limit" "$err"
equal state timeout "$(field slow "['state']")"
