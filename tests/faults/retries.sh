#!/usr/bin/env bash
# A run with --retries whose job can't submit the next attempt: clients do. One is killed between the exit entry and the retry, two
# poll at once, and one is killed during the pause. Each attempt is in the ledger once. A time limit counts if --retry-on has it.
# shellcheck source=tests/faults/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

# The job finds no rv at this path.
mkdir "$work/gone" "$work/slow"
cp "$RV" "$work/gone/rv"
gone() { "$work/gone/rv" "$@"; }
exits 0 gone run -g 1 --partition gpu --retries 1 --retry-on timeout --time 1m --name limited \
  'echo x >>limited; [ "$(wc -l <limited)" -gt 1 ] || sleep 600'
exits 0 gone run -g 1 --partition gpu --retries 2 --time 5m --name failing '
  until [ -e go ]; do sleep 0.1; done; echo x >>runs; echo "$RANDOM"; [ "$(wc -l <runs)" -gt 2 ] || exit 75'
wait_for 40 state_is failing running || fail "does not run: $(rv show failing)"
rm "$work/gone/rv"

# What a client asks about the failed job takes seconds, as on a busy cluster.
printf '#!/bin/sh\nsleep 4\nexec %s "$@"\n' "$(command -v sacct)" >"$work/slow/sacct"
chmod +x "$work/slow/sacct"
folder=$(field failing "['run_folder']")
has_exits() { [ "$(cat "$folder"/ledger/[0-9]* | grep -c '^exit ')" -ge "$1" ]; }
until_exit() {
  local tries
  for ((tries = 0; tries < 400; tries++)); do
    ! has_exits "$1" || return 0
    sleep 0.1
  done
  fail "attempt $1 does not end: $(squeue)"
}
retries() { entries retry failing | wc -l; }

# Killed while it gathers the evidence: nothing is decided, and the next client decides.
touch go
until_exit 1
PATH=$work/slow:$PATH "$RV" show failing >/dev/null 2>&1 &
client=$!
sleep 1
kill -KILL "$client"
wait "$client" 2>/dev/null || true
[ "$(cat "$folder"/ledger/[0-9]* | grep -c '^retry ')" = 0 ] || fail "retried by a client that was killed"

# Two at once.
PATH=$work/slow:$PATH "$RV" show failing >/dev/null 2>&1 &
one=$!
PATH=$work/slow:$PATH "$RV" ps >/dev/null 2>&1 &
wait "$one" "$!" || true
retried_once() { [ "$(retries)" = 1 ]; }
wait_for 20 retried_once || fail "$(retries) retries: $(rv show failing)"

# No client runs during the pause: Slurm holds the job back.
wait_for 60 has_lines runs 2 || fail "is not started again: $(squeue)"
until_exit 2
in_background "$RV" wait failing
follower=$!
retried_twice() { [ "$(retries)" = 2 ]; }
wait_for 20 retried_twice || fail "$(retries) retries: $(rv show failing)"
kill -KILL "$follower"
wait_for 60 has_lines runs 3 || fail "is not started a third time: $(squeue)"
wait_for 20 over failing || fail "not over: $(rv show failing)"
equal "state" "done" "$(field failing "['state']")"
equal "executions" 3 "$(lines_in runs)"
equal "attempts that started" "1 2 3" "$(entries start failing | cut -d' ' -f2 | sort -n | paste -sd' ')"
equal "entries" 2 "$(retries)"

wait_for 150 over limited || fail "not over: $(rv show limited)"
equal "the run with a time limit" "done 2" "$(field limited "['state']") $(lines_in limited)"
contains "its retry" "it reached its time limit" "$(field limited "['retries']['why']")"
