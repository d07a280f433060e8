#!/usr/bin/env bash
# `rm` fails in the jobs of a race, as where no process can be started or a server refuses. What was to be removed stays, and the
# ledger keeps its entries: the command runs once, and the run ends as the command did.
# shellcheck source=tests/faults/lib.sh disable=SC2317 # rm is called in the jobs
source "$(dirname "$0")/lib.sh"

# Reaches the jobs with the rest of the environment.
rm() { return 1; }
export -f rm
rv run -g 1 --time 5m --name race 'echo begun >>runs; until [ -e go-on ]; do sleep 0.1; done; exit 5' >/dev/null 2>&1
unset -f rm
wait_for 30 has_lines runs 1 || fail "it does not start: $(squeue)"
# The losers have had their turn at the gate, or were cancelled before.
wait_for 30 one_runs || fail "the losers stay: $(squeue)"
touch go-on
in_background rv wait race
client_ended "$!" 5 ""
equal "entries" "claim start exit" "$(cut -d' ' -f1 "$(field race "['run_folder']")"/ledger/[0-9]* | grep -v outcome | paste -sd' ')"
