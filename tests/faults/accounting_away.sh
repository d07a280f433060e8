#!/usr/bin/env bash
# Accounting is down for the whole run: the run starts, ends and is reported as usual.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

fault kill slurmdbd
! accounting_answers || fail "accounting still answers"
exits 5 rv run -g 1 --time 5m --name quiet -f bash -c 'echo out; exit 5'
equal "output" out "$out"
equal "state" failed "$(field quiet "['state']")"
contains "what it used" "usage    unknown: " "$(rv show quiet)"
says "what it used" "d['use']['attempts'] == [] and d['use']['trouble'] and d['use']['enough'] is None" <(rv show quiet --json)
# A run without its own exit record: the controller still has the end of its job.
rv run -g 1 --time 5m --name gone bash -c 'echo x >ran; sleep 300' >/dev/null 2>&1
wait_for 30 has_lines ran 1 || fail "does not start"
scancel --signal=KILL --full "$(job_of gone)"
wait_for 40 over gone || fail "not over: $(rv show gone)"
contains "no success is made of it" "$(field gone "['state']")" "lost stopped failed"
