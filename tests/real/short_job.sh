#!/usr/bin/env bash
# A command that ends before the first poll is reported as done with its exit code.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

exits 0 rv run --time 5m true
id=$out
is_over() { [ "$(field "$id" "['over']")" = True ]; }
wait_for 30 is_over || fail "run $id is not over: $(rv show "$id")"
equal state "done" "$(field "$id" "['state']")"
equal exit_code 0 "$(field "$id" "['exit_code']")"
exits 0 rv run --time 5m --name quick bash -c 'exit 4'
id=$out
wait_for 30 is_over || fail "run $id is not over"
equal state failed "$(field quick "['state']")"
equal exit_code 4 "$(field quick "['exit_code']")"
