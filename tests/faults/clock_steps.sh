#!/usr/bin/env bash
# The clock of a client's machine is set back or forward by an hour while it follows a run, before and after the job ended
# without a record. The client neither hangs nor gives up early, and reports the truth.
# shellcheck source=tests/faults/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"
: "${RV_DYNAMIC:?the rv binary that takes another clock}"

set_clock() { echo "$1" >"$work/clock.new" && mv "$work/clock.new" "$work/clock"; }
# with_clock COMMAND…: only the time of day comes from the file, at each look.
with_clock() { off_by 0 env -u FAKETIME FAKETIME_TIMESTAMP_FILE="$work/clock" FAKETIME_NO_CACHE=1 "$@"; }
put_back() { drop_clock; }
# What makes the job end without a record: its script is gone at once.
lose() {
  local script
  script=$(squeue -h --me -O JobID:20,Name:80 | sed -n "s/ *$1@.*//p" | tr -d ' ')
  pkill -KILL -f "^/bin/bash $RV_SANDBOX_DIR/.*job0*$script/slurm_script" || fail "no script of job $script"
}
# No other client may poll, not even rv show: it would complete the run with a clock that does not step.
is_noted() { grep -q unrecorded_end "$folder"/*.jsonl; }

for step in -3600 +3600; do
  for when in before after; do
    name=clock$step-$when
    rm -f runs go-on
    set_clock +0
    with_clock "$RV_DYNAMIC" run -g 1 --time 5m --name "$name" 'echo begun >>runs; until [ -e go-on ]; do sleep 0.1; done; exit 5' >/dev/null 2>&1
    wait_for 30 has_lines runs 1 || fail "$name does not start: $(squeue)"
    folder=$(field "$name" "['run_folder']")
    in_background with_clock "$RV_DYNAMIC" wait "$name"
    client=$!
    wait_for 20 state_is "$name" running || fail "$name does not run: $(rv show "$name")"
    [ "$when" = after ] || { set_clock "$step" && sleep 2; }
    lose "$name"
    # The record may come for five seconds after that.
    wait_for 20 is_noted || fail "$name: nobody notes the end: $(rv show "$name")"
    noted=$SECONDS
    [ "$when" = before ] || set_clock "$step"
    code=0
    timeout 60 tail --pid="$client" -f /dev/null || fail "$name: the client hangs: $(rv show "$name")"
    wait "$client" || code=$?
    took=$((SECONDS - noted))
    ((took >= 3 && took <= 25)) || fail "$name: $took s from the first look at the end to the outcome"
    equal "$name: exit code" 123 "$code"
    equal "$name: state" lost "$(field "$name" "['state']")"
    equal "$name: executions" 1 "$(lines_in runs)"
  done
  # The command ends as it should while the clock steps.
  name=ends$step
  rm -f runs go-on
  set_clock +0
  with_clock "$RV_DYNAMIC" run -g 1 --time 5m --name "$name" 'echo begun >>runs; until [ -e go-on ]; do sleep 0.1; done; exit 5' >/dev/null 2>&1
  wait_for 30 has_lines runs 1 || fail "$name does not start: $(squeue)"
  in_background with_clock "$RV_DYNAMIC" wait "$name"
  client=$!
  sleep 1 # the client polls a few times before the clock changes
  set_clock "$step"
  touch go-on
  code=0
  timeout 60 tail --pid="$client" -f /dev/null || fail "$name: the client hangs: $(rv show "$name")"
  wait "$client" || code=$?
  equal "$name: exit code" 5 "$code"
done
