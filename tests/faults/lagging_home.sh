#!/usr/bin/env bash
# The client's file system caches directory contents for 45 seconds, as NFS does by default: the end of a run is reported within
# seconds, and a successful run is never reported as lost.
# shellcheck source=tests/faults/lib.sh disable=SC2016 # what expands in the inner shell is in single quotes
source "$(dirname "$0")/lib.sh"

mkdir -p "$RV_HOME"
# late COMMAND…: runs it with such a view of RV_HOME; the jobs see the current state.
late() {
  unshare --mount --propagation private bash -c '
    bindfs -o negative_timeout=45,entry_timeout=45,attr_timeout=45 "$RV_HOME" "$RV_HOME" || exit 99
    code=0
    "$@" || code=$?
    umount -l "$RV_HOME"
    exit "$code"' late "$@"
}

{ echo begun && seq 20000 && printf "no line end"; } >expected
for seconds in 4 12; do
  code=0
  late "$RV" run -g 1 --time 5m --name "of-$seconds" -f \
    bash -c 'echo begun; sleep "$0"; seq 20000; printf "no line end"; echo x >>runs; date +%s >ended' "$seconds" >"$work/out" 2>"$work/err" || code=$?
  returned=$(date +%s)
  equal "$seconds s: exit code" 0 "$code"
  cmp "$work/out" expected || fail "$seconds s: the output is not the command's"
  equal "$seconds s: state" "done" "$(field "of-$seconds" "['state']")"
  [ $(((returned - $(<ended)) * 1000)) -le "$(patience 12000)" ] || fail "$seconds s: rv returned $((returned - $(<ended))) s after the end"
done
# A run without a follower, polled before and after its end through the same view.
late bash -c '
  "$RV" run -g 1 --time 5m --name looked-at "sleep 5; echo x >>runs; exit 3" >/dev/null 2>&1
  for ((i = 0; i < 25; i++)); do
    state=$("$RV" ps -a --json | python3 -c "import json, sys; print([r[\"state\"] for r in json.load(sys.stdin)[\"runs\"] if r[\"name\"] == \"looked-at\"][0])")
    echo "$state" >>states
    [ "$state" != failed ] || break
    sleep 1
  done'
# The log is polled while it is empty, and read after the end.
late bash -c '
  "$RV" run -g 1 --time 5m --name quiet "sleep 6; echo x >>runs; seq 1000" >/dev/null 2>&1
  for ((i = 0; i < 40; i++)); do
    "$RV" logs quiet >>early 2>/dev/null
    stat "$RV_HOME"/runs/*/logs/* >/dev/null 2>&1
    if "$RV" ps -a --json | grep -q "\"state\": *\"done\".*quiet\|quiet.*\"state\": *\"done\""; then break; fi
    [ "$i" -lt 12 ] || break
    sleep 1
  done
  sleep 2 # longer than the delay of the file system
  "$RV" logs quiet >quiet.out'
cmp quiet.out <(seq 1000) || fail "rv logs after the end shows $(wc -c <quiet.out) bytes"
equal "the last state" failed "$(tail -n 1 states)"
! grep -q lost states || fail "it was lost for a while: $(uniq states)"
equal "executions" 4 "$(lines_in runs)"
