#!/usr/bin/env bash
# Two clients follow one run at once from machines with different names, and one client has a clock that is an hour off.
# shellcheck source=tests/faults/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"
: "${RV_DYNAMIC:?the rv binary that takes another clock}"
put_back() { drop_clock; }

rv run -g 2 --time 5m --name shared bash -c 'for i in 1 2 3 4 5 6 7; do echo "line $i"; sleep 0.5; done; until [ -e "$1" ]; do sleep 0.1; done; echo "line 8"; exit 9' \
  sh "$work/seen" >/dev/null 2>&1
rv logs -f shared >"$work/one" 2>/dev/null &
one=$!
unshare --uts bash -c 'hostname elsewhere && exec "$0" logs -f shared' "$RV" >"$work/two" 2>/dev/null &
two=$!
wait_for 30 state_is shared running || fail "does not start: $(rv show shared 2>&1)"
# An hour ahead and an hour behind: what is shown of times is odd, what is decided is not.
for offset in 3600 -3600; do
  code=0
  off_by "$offset" "$RV_DYNAMIC" ps >"$work/ps" 2>&1 || code=$?
  equal "exit code at $offset" 0 "$code"
  contains "state at $offset" running "$(<"$work/ps")"
done
touch "$work/seen"
wait "$one" || true
wait "$two" || true
equal "one" "line 1 line 8 8" "$(head -n 1 "$work/one") $(tail -n 1 "$work/one") $(wc -l <"$work/one")"
equal "two" "$(<"$work/one")" "$(<"$work/two")"
equal "exit code" 9 "$(field shared "['exit_code']")"

# Runs from a machine whose clock is ahead, beside another.
rv run -g 2 --time 5m --name orphan bash -c 'echo ran >>runs; exit 4' >/dev/null 2>&1
off_by 3600 "$RV_DYNAMIC" run -g 2 --time 5m \
  --name late-clock -f bash -c 'echo ran >>late; exit 8' >/dev/null 2>&1 || code=$?
equal "exit code of a run from a machine an hour ahead" 8 "$code"
equal "executions" 1 "$(lines_in late)"
wait_for 20 over orphan || fail "not over"
equal "executions" 1 "$(lines_in runs)"
