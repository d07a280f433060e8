#!/usr/bin/env bash
# The client sees the run folders over a file system that remembers for 45 seconds what a folder had in it, and what not, as
# NFS does by default: how a run ended is told within seconds all the same, and a run that ended well is never lost.
# shellcheck source=tests/faults/lib.sh disable=SC2016 # what expands in the inner shell stands in single quotes
source "$(dirname "$0")/lib.sh"

mkdir -p "$RV_HOME"
# late COMMAND…: with such a view of RV_HOME, which nobody else has: the jobs see what is there.
late() {
  unshare --mount --propagation private bash -c '
    bindfs -o negative_timeout=45,entry_timeout=45,attr_timeout=45 "$RV_HOME" "$RV_HOME" || exit 99
    code=0
    "$@" || code=$?
    umount -l "$RV_HOME"
    exit "$code"' late "$@"
}

for seconds in 4 12; do
  code=0
  late "$RV" run -g 1 --time 5m --name "of-$seconds" -f \
    bash -c 'sleep "$0"; echo x >>runs; date +%s >ended' "$seconds" >"$work/out" 2>"$work/err" || code=$?
  told=$(date +%s)
  equal "$seconds s: exit code" 0 "$code"
  equal "$seconds s: state" "done" "$(field "of-$seconds" "['state']")"
  [ $(((told - $(<ended)) * 1000)) -le "$(patience 12000)" ] || fail "$seconds s: told $((told - $(<ended))) s after the end"
done
# One that nobody follows, looked at before its end and after it through the same view.
late bash -c '
  "$RV" run -g 1 --time 5m --name looked-at "sleep 5; echo x >>runs; exit 3" >/dev/null 2>&1
  for ((i = 0; i < 25; i++)); do
    state=$("$RV" ps -a --json | python3 -c "import json, sys; print([r[\"state\"] for r in json.load(sys.stdin)[\"runs\"] if r[\"name\"] == \"looked-at\"][0])")
    echo "$state" >>states
    [ "$state" != failed ] || break
    sleep 1
  done'
equal "the last state" failed "$(tail -n 1 states)"
! grep -q lost states || fail "it was lost for a while: $(uniq states)"
equal "executions" 3 "$(lines_in runs)"
