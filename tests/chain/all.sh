#!/usr/bin/env bash
# All tests of chains at once on one fast sandbox, then the one that takes its controller away; a line for each as it ends,
# and all it said when it failed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
: "${RV:?the dynamic rv binary to test}" "${RV_SANDBOX_DIR:?where the sandbox shall be}"
sandbox=$here/../../examples/sandbox/sandbox
said=$(mktemp -d "${TMPDIR:-/tmp}/rv-chain-XXXXXX")
trap '"$sandbox" down --dir "$RV_SANDBOX_DIR"; rm -rf "$said"' EXIT
"$sandbox" down --dir "$RV_SANDBOX_DIR"
"$sandbox" up --shape "$here/chain.yaml" --speed 60 --dir "$RV_SANDBOX_DIR"

once() {
  local name=$1 began=$SECONDS
  if bash "$here/$name.sh" >"$said/$name" 2>&1; then
    echo "$name: passed, $((SECONDS - began)) s"
  else
    echo "$name: FAILED, $((SECONDS - began)) s"
    cat "$said/$name"
    return 1
  fi
}

# One that fails early is tried once more while the long ones run: the whole would take twelve minutes again.
one() {
  local began=$SECONDS
  once "$1" || { [ $((SECONDS - began)) -lt 200 ] && once "$1"; }
}

# One after the other: nine plans in one second, on a clock that makes a minute of it, find a controller that is busy.
pids=()
for name in twelve_hours twelve_hours_faults two_nodes process_trees ends node_lost no_submission time_min array_after; do
  one "$name" &
  pids+=($!)
  sleep 3
done
failed=0
for pid in "${pids[@]}"; do wait "$pid" || failed=$((failed + 1)); done
one controller_down || failed=$((failed + 1))
[ "$failed" -eq 0 ]
