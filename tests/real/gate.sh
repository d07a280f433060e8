#!/usr/bin/env bash
# Several candidates start at the same moment on an idle cluster: one runs the command, and the others end before it.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

echo 'head_start: 0' >>"$RV_SITE"
for round in 1 2 3 4 5; do
  exits 0 rv run -f -g 2 --fanout 6 --time 5m bash -c "echo $round >> ran; sleep 0.5"
  equal "executions after round $round" "$round" "$(lines_in ran)"
done
wait_for 20 no_jobs || fail "losers are left: $(squeue -h)"
# More than one was really submitted, or the test would show nothing.
[ "$(field "" "['candidates'][1]['job_id']" 2>/dev/null || rv show --json | grep -c '"event": "submitted"')" != 0 ] ||
  fail "only one candidate was submitted"
