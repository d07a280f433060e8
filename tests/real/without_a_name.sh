#!/usr/bin/env bash
# Without a name, commands that need GPUs take the newest run that has some, or else the newest run that waits for them; rv
# shell waits until its run has GPUs.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

runs_now() { [ "$(field "$1" "['state']")" = running ]; }
waits() { [ "$(field "$1" "['state']")" = queued ]; }
inside() { echo 'echo "in $RV_RUN_ID"' | timeout 60 "$RV" shell "$@" 2>"$work/err"; }

for command in shell gpu 'forward 8888'; do
  # shellcheck disable=SC2086 # a command and its arguments
  exits 122 rv $command
  contains "rv $command with no run" "no run holds GPUs or waits for GPUs" "$err"
done
exits 0 rv stop --all
equal "nothing to stop" "nothing to stop" "$out"

# A newer run that has ended, and one that waits, are not selected.
rv run -g 1 -t a40 --time 10m --name works 'sleep 300' >/dev/null 2>&1
works=$(field works "['id']")
wait_for 30 runs_now works || fail "it does not run: $(rv show works)"
contains "its candidate" "won, running on" "$(rv show works)"
exits 0 rv run -f -g 1 --time 5m --name over true
rv run -g 1 --time 5m --name later --after works true >/dev/null 2>&1
equal "rv shell" "in $works" "$(inside)"
contains "which run" "a shell in run $works (works)" "$(<"$work/err")"

# Where all wait, rv shell waits with them.
exits 0 rv stop works later
rv run -g 1 --time 5m --name first 'until [ -e go ]; do sleep 0.1; done' >/dev/null 2>&1
rv run -g 1 --time 5m --name next --after first 'sleep 120' >/dev/null 2>&1
wait_for 20 waits next || fail "it does not wait: $(rv show next)"
inside next >said &
shell=$!
sleep 2 # a shell without GPUs would print by then
[ ! -s said ] || fail "a shell before its GPUs"
touch go
wait "$shell" || fail "rv shell: $(<"$work/err")"
equal "the shell" "in $(field next "['id']")" "$(<said)"
contains "why it waited" "has no GPUs yet" "$(<"$work/err")"

# Stopped once, they are not named again.
exits 0 rv stop --all
quiet() { [ "$(rv stop --all)" = "nothing to stop" ]; }
wait_for 20 quiet || fail "named again: $(rv stop --all)"

# A run that never began has no winner, node or start.
rv run -g 1 --time 5m --name bad 'until [ -e fail ]; do sleep 0.1; done; exit 3' >/dev/null 2>&1
rv run -g 1 --time 5m --name behind --after bad true >/dev/null 2>&1
touch fail
stopped() { [ "$(field behind "['state']")" = stopped ]; }
wait_for 60 stopped || fail "not stopped: $(rv show behind)"
equal "winner" None "$(field behind "['winner']")"
equal "start" None "$(field behind "['started']")"
lacks "rv show" "won" "$(rv show behind)"

# What --output names and the run did not write.
exits 0 rv run -f -g 1 --time 5m --name empty -o results true
contains "rv run -f" "--output results: does not exist after the run" "$err"
contains "rv show" "(--output results: does not exist after the run)" "$(rv show empty)"
contains "rv ps" "--output results: does not exist after the run" "$(rv ps -a)"
exits 0 rv pull empty
contains "rv pull" "--output results: does not exist after the run" "$err"

# On a terminal rv stop --all asks first, and names the runs.
exits 0 rv up -d -g 1 -t a40 --time 5m
held=$(head -1 <<<"$out")
# answered ANSWER COMMAND…: on a terminal.
answered() { python3 "$root/tests/on_terminal.py" "[{\"until\": \"y or n\"}, \"$1\\n\"]" "${@:2}"; }
runs answered n "$RV" stop --all
equal "exit code" 2 "$code"
contains "the question" "Stop 1 run ($held " "$out"
equal "it goes on" False "$(field "$held" "['over']")"
runs answered y "$RV" stop --all
equal "exit code" 0 "$code"
