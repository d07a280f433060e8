#!/usr/bin/env bash
# A run loses every line of its journal, and then its node: rv still knows that the command had started, and does not start it
# again.
# shellcheck source=tests/faults/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

in_background rv run -g 2 --single-node --time 5m --name silent -f bash -c 'echo "$SLURMD_NODENAME" >>runs; sleep 300'
client=$!
wait_for 30 has_lines runs 1 || fail "does not start: $(rv show silent)"
folder=$(field silent "['run_folder']")
truncate -s 0 "$folder/events.jsonl" "$folder"/jobs/*.jsonl
fault power-off "slurmd.$(<runs)"
give_up "$(<runs)"
code=0
wait "$client" || code=$?
equal "executions" 1 "$(lines_in runs)"
equal "exit code" 123 "$code"
equal "state" node-failure "$(field silent "['state']")"
