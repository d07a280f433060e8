#!/usr/bin/env bash
# limited.sh SECONDS COMMAND…: the command in its own session. When its time is up, what runs is shown, and it is asked to
# end: a test then says where it was, and cleans up behind itself, so that the next ones do not suffer. Exits as the command.
set -uo pipefail
limit=$1
shift

setsid "$@" </dev/null &
command=$!
trap 'kill -TERM -- "-$command" 2>/dev/null' TERM INT HUP

over() {
  echo "$limit seconds are over. The test:"
  ps --forest -o pid,stat,etimes,cputimes,args -s "$command" | cut -c 1-200
  echo "What uses the machine:"
  ps -e -o pid,stat,etimes,cputimes,pcpu,args --sort=-pcpu | head -n 12 | cut -c 1-200
  kill -TERM -- "-$command"
  sleep 60 >/dev/null 2>&1 # who reads what the test says does not wait for this
  kill -KILL -- "-$command"
}
(
  sleep "$limit" &
  sleeping=$!
  trap 'kill "$sleeping"; exit' TERM
  wait "$sleeping"
  trap - TERM
  over
) &
watch=$!

code=0
wait "$command" || code=$?
kill "$watch" 2>/dev/null
exit "$code"
