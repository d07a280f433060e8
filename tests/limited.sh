#!/usr/bin/env bash
# Runs a command in a session of its own with a time limit: limited.sh SECONDS COMMAND…. When the time is up, it prints the
# running processes and sends TERM, so that a test can clean up. Returns the command's exit code.
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
