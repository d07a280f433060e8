#!/usr/bin/env bash
# Ctrl-C ends rv logs -f of a run that writes as fast as it can, even if stdout is blocked, and the run continues. At its end
# all output has arrived once and in order.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

# interrupted_soon PID NAME: SIGINT ends the process within about a second, with rv's code for it.
interrupted_soon() {
  local code=0 begun
  begun=$(date +%s%N)
  kill -INT "$1"
  wait_for 10 ended "$1" || { kill -KILL "$1" && fail "$2: Ctrl-C does not end it"; }
  wait "$1" || code=$?
  equal "$2: exit code" 130 "$code"
  local took=$((($(date +%s%N) - begun) / 1000000))
  [ "$took" -lt "$(patience 1500)" ] || fail "$2: ends $took ms after Ctrl-C"
  echo "$2: ended $took ms after Ctrl-C"
}
ended() { ! kill -0 "$1" 2>/dev/null || [[ "$(ps -o state= -p "$1")" == Z* ]]; }
larger() { [ "$(stat -c %s "$1")" -gt "$2" ]; }

# What follows takes far longer to read than to write, as on a terminal: its end is never in sight.
cat >slow.py <<'PY'
import sys, time
while part := sys.stdin.buffer.read1(65536):
    sys.stdout.buffer.write(part)
    time.sleep(0.02)
PY
mkfifo slow
# followed ARGUMENTS…: rv with these in the background, its output read slowly.
followed() {
  : >out
  python3 slow.py <slow >out &
  "$RV" "$@" >slow 2>err &
  client=$!
  wait_for 20 larger out 1000000 || fail "no output: $(<err)"
}
followed run -f --time 20m --name flood bash -c 'yes "a line of output" | head -c 300000000; sleep 900'
interrupted_soon "$client" "rv run -f"
contains message "continues" "$(<err)"
# What stepped back from the race is gone as well.
wait_for 10 one_runs || fail "still running: $(squeue)"
followed logs -f flood
interrupted_soon "$client" "rv logs -f"

# A reader that stalls, with and without stderr in the same pipe.
for followed in "logs -f flood" "logs -f flood --tail 100000000"; do
  mkfifo still
  exec 3<>still
  # shellcheck disable=SC2086 # several arguments
  "$RV" $followed >still 2>&1 &
  client=$!
  wait_for 20 read -rt 0 -u 3 || fail "no output"
  sleep 1 # the pipe is full by then, and rv waits in its write
  interrupted_soon "$client" "rv $followed, unread"
  exec 3>&-
  rm still
done
mkfifo still
exec 3<>still
"$RV" run -f --time 20m --name unread bash -c 'touch writes; yes "a line of output" | head -c 100000000; sleep 900' >still 2>&1 &
client=$!
wait_for 30 test -e writes || fail "does not start"
sleep 2 # as above
interrupted_soon "$client" "rv run -f, unread"
exec 3>&-
rm still
exits 0 rv stop --all
wait_for 30 no_jobs || fail "jobs are left: $(squeue)"

# Two nodes at once, more than one look takes in: whole, in order, and once.
exits 0 rv run -f -g 2 --nodes 2 -t a40 --time 5m --name whole 'seq -f "$NODE_RANK %.0f" 400000'
for rank in 0 1; do
  equal "lines of node $rank" "$(seq -f "$rank %.0f" 400000 | md5sum)" "$(cut -d' ' -f2- <<<"$out" | grep "^$rank " | md5sum)"
done
equal "lines" 800000 "$(wc -l <<<"$out")"
exits 0 rv logs whole
equal "rv logs, node after node" "$(for rank in 0 1; do seq -f "$rank %.0f" 400000; done | md5sum)" \
  "$(cut -d' ' -f2- <<<"$out" | md5sum)"
