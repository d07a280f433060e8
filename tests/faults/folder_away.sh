#!/usr/bin/env bash
# The run folder is unreachable when the command ends, for longer than the first retries, and then returns: the exit code is
# recorded.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

put_back() { [ ! -e "$RV_HOME.away" ] || mv "$RV_HOME.away" "$RV_HOME"; }
mkdir -p "$RV_HOME"
for options in "" "--checkpoint --segment-time 10m"; do
  rm -f go begun
  # shellcheck disable=SC2016,SC2086 # the command expands in the job; several options
  rv run -g 1 --type a40 --time 20m --name "away$options" $options -- \
    bash -c 'echo x >>runs; touch begun; until [ -e go ]; do sleep 0.2; done; [ -z "${RV_DONE_FILE:-}" ] || exit 0; exit 3' >/dev/null 2>"$work/err" ||
    fail "rv run"
  wait_for 60 test -e begun || fail "does not begin"
  id=$(basename "$RV_HOME"/runs/*)
  mv "$RV_HOME" "$RV_HOME.away"
  touch go
  sleep 25 # longer than the first retries
  put_back
  wait_for 90 over "$id" || fail "not over: $(rv show "$id")"
  if [ -z "$options" ]; then
    equal "state" "failed 3" "$(field "$id" "['state']") $(field "$id" "['exit_code']")"
  else
    equal "chain: state" "done 0" "$(field "$id" "['state']") $(field "$id" "['exit_code']")"
  fi
  rm -r "$RV_HOME/runs/$id"
done
equal "executions" 2 "$(lines_in runs)"
